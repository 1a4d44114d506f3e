import type { RouteParsed } from '@homeport/contract/routes';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow, toServer } from '../records/server-record.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/**
 * Records that the user accepted a host key, the first one (`from` is null) or in place of the earlier one. For
 * logins with a key, the pin of the user’s browser decides. This copy is shown, and guards passwords.
 */
export async function acceptHostKey(
  scope: OwnerWrite,
  { sessionId, id, at }: { sessionId: string; id: string; at: number },
  { from, to, algorithm }: RouteParsed<'PUT /api/servers/:id/host-key'>['body'],
): Promise<ServerRow> {
  const current = await findServer(scope, id);
  if (current.host_key_fingerprint === to) return current;
  if (current.host_key_fingerprint !== from) {
    throw new ProblemError('stale_edit', 'Another host key was accepted for this server in the meantime.', {
      current: toServer(current),
    });
  }
  const row = await scope.db
    .updateTable('servers')
    .set((eb) => ({
      host_key_fingerprint: to,
      host_key_algorithm: algorithm,
      // The first key changes nothing that the user edits.
      ...(from === null ? {} : { version: eb('version', '+', 1) }),
    }))
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const event = { owner: scope.owner, subject: row.name, from: { sessionId }, at };
  await noteSecurityEvent(scope.db, { ...event, kind: 'host_key_accepted' });
  await notifyChange(scope.db, scope.owner, 'servers', id);
  return row;
}
