import { globalDomainOf } from '@homeport/contract/apps/default-domain';
import type { EditServer } from '@homeport/contract/servers/schema';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow, toServer } from '../records/server-record.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { refuseTakenPort, refuseTarget, refuseUnknownCredential } from './add-server.ts';
import { refuseWhileBusy } from './remove-server.ts';

type Rules = { targets: TargetPolicy; appDomain: string | null };

/** Applies an edit if the version is still the one that the page showed. */
export async function editServer(
  scope: OwnerWrite,
  id: string,
  edit: EditServer,
  { targets, appDomain }: Rules,
): Promise<ServerRow> {
  const current = await findServer(scope, id);
  if (edit.credential !== undefined) await refuseUnknownCredential(scope, edit.credential);
  const place = { ip: edit.ip ?? current.ip, port: edit.port ?? current.port };
  const moves = place.ip !== current.ip;
  if (moves || place.port !== current.port) refuseTarget(targets, place);
  // What runs must end on the machine on which it began.
  if (moves || (edit.credential === null && current.credential !== null))
    await refuseWhileBusy(scope.db, scope.owner, id);
  const { version, ...changes } = edit;
  const row = await scope.db
    .updateTable('servers')
    .set({
      ...changes,
      ...forgotten(current, edit),
      ...(moves ? formerDomain(current, place.ip, appDomain) : {}),
      version: version + 1,
    })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
    .catch((error: unknown) => {
      refuseTakenPort(error);
      throw error;
    });
  if (!row)
    throw new ProblemError('stale_edit', 'This server was changed elsewhere.', {
      // Read again: the page must see what another edit has just changed.
      current: toServer(await findServer(scope, id)),
    });
  await notifyChange(scope.db, scope.owner, 'servers', id);
  return row;
}

/**
 * The facts that a new login makes invalid. Another user may have other rights on the server. After a new
 * user or key, the console’s own account still lets in the old key (`account_key` says which). Until that
 * account is updated, the given account does all work.
 */
function forgotten(current: ServerRow, edit: EditServer): { login?: null; console_account?: false } {
  const otherUser = edit.username !== undefined && edit.username !== current.username;
  const otherKey = edit.credential !== undefined && edit.credential !== current.credential;
  return {
    ...(otherUser ? { login: null } : {}),
    ...(otherUser || otherKey ? { console_account: false } : {}),
  };
}

/**
 * A domain that resolves to the earlier address stays the global one of the machine until somebody replaces it. The record names it, so
 * that the server's page asks, as after linking.
 */
function formerDomain(
  current: ServerRow,
  ip: string,
  appDomain: string | null,
): { global_domains?: string[]; global_domains_kept?: false } {
  const former = globalDomainOf(current, appDomain);
  const stays = former === globalDomainOf({ ...current, ip }, appDomain);
  if (stays || current.metal || current.setup !== 'ready' || current.global_domains !== null) return {};
  return { global_domains: [former], global_domains_kept: false };
}
