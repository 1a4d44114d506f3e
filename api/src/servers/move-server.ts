import { globalDomainOf } from '@homeport/contract/apps/default-domain';
import { urlHost } from '@homeport/contract/fields/server-address';
import type { MoveServer } from '@homeport/contract/servers/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { refuseTakenPort, refuseTarget } from './add-server.ts';
import { changedElsewhere } from './edit-server.ts';
import { refuseWhileBusy } from './remove-server.ts';

type Deps = {
  store: Pick<Store, 'transact'>;
  clock: () => number;
  targets: TargetPolicy;
  appDomain: string | null;
};

/**
 * Records another address of the same machine. The host key that was accepted stays, and the next connection compares it. Until then git
 * remotes, connection strings and offers of DNS records name the new address already, so this is for the person alone, and told by mail.
 */
export function moveServer(
  { store, clock, targets, appDomain }: Deps,
  { userId, sessionId }: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  id: string,
  { version, ip, port }: MoveServer,
): Promise<ServerRow> {
  return store.transact(ownerFromSession(userId), async (scope) => {
    const { db, owner } = scope;
    await holdSession(scope, sessionId);
    const current = await findServer(scope, id);
    refuseTarget(targets, { ip, port });
    // What runs must end on the machine on which it began.
    await refuseWhileBusy(db, owner, id);
    const row = await db
      .updateTable('servers')
      .set({ ip, port, ...formerDomain(current, ip, appDomain), version: version + 1 })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTakenPort);
    if (!row) throw await changedElsewhere(scope, id);
    if (ip !== current.ip || port !== current.port)
      await noteSecurityEvent(db, {
        ...{ owner, subject: `${row.name}, ${urlHost(ip)}:${port}`, from: { sessionId }, at: clock() },
        kind: 'server_moved',
      });
    await notifyChange(db, owner, 'servers', id);
    return row;
  });
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
