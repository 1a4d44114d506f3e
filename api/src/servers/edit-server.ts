import type { EditServer } from '@homeport/contract/servers/schema';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow, toServer } from '../records/server-record.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { refuseUnknownCredential } from './add-server.ts';
import { refuseWhileBusy } from './remove-server.ts';

/** Applies an edit if the version is still the one that the page showed. */
export async function editServer(
  scope: OwnerWrite,
  id: string,
  edit: EditServer,
  by: { sessionId: string; at: number },
): Promise<ServerRow> {
  const current = await findServer(scope, id);
  if (edit.credential !== undefined) await refuseUnknownCredential(scope, edit.credential);
  if (edit.credential === null && current.credential !== null)
    await refuseWhileBusy(scope.db, scope.owner, id);
  const { version, ...changes } = edit;
  const row = await scope.db
    .updateTable('servers')
    .set({ ...changes, ...forgotten(current, edit), version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw await changedElsewhere(scope, id);
  if (current.shell_allowed && !row.shell_allowed)
    await noteSecurityEvent(scope.db, {
      ...{ owner: scope.owner, kind: 'shell_forbidden', subject: row.name },
      ...{ from: { sessionId: by.sessionId }, at: by.at },
    });
  await notifyChange(scope.db, scope.owner, 'servers', id);
  return row;
}

/** The refusal of an edit of an earlier version. The record is read again: the page must see what another edit has just changed. */
export const changedElsewhere = async (
  scope: Pick<OwnerWrite, 'owner' | 'db'>,
  id: string,
): Promise<ProblemError> =>
  new ProblemError('stale_edit', 'This server was changed elsewhere.', {
    current: toServer(await findServer(scope, id)),
  });

/**
 * The facts that a new login makes invalid. Another user may have other rights on the server. After a new
 * user or key, the console’s own account still lets in the old key (`account_key` says which). Until that
 * account is updated, the given account does all work.
 */
function forgotten(
  current: ServerRow,
  edit: EditServer,
): { login?: null; shell_allowed?: false; console_account?: false } {
  const otherUser = edit.username !== undefined && edit.username !== current.username;
  const otherKey = edit.credential !== undefined && edit.credential !== current.credential;
  return {
    // A shell was allowed as the user that its owner saw.
    ...(otherUser ? { login: null, shell_allowed: false } : {}),
    ...(otherUser || otherKey ? { console_account: false } : {}),
  };
}
