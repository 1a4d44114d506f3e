import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import { refuseClosed } from '../remote/server-access.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/**
 * Sets whether the owner may run one-off commands in the server's apps. Nothing changes on the server. What was allowed already is
 * no news.
 */
export function allowCommands(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: () => number },
  { userId, sessionId }: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  { id, allowed }: { id: string; allowed: boolean },
): Promise<ServerRow> {
  return store.transact(ownerFromSession(userId), async (scope) => {
    const { db, owner } = scope;
    if (allowed) await holdSession(scope, sessionId);
    const server = await findServer(scope, id);
    if (allowed) {
      refuseClosed(server);
      if (server.metal) throw new ProblemError('conflict', 'This server is used without Dokku.');
    }
    const row = await db
      .updateTable('servers')
      .set({ commands_allowed: allowed })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .where('commands_allowed', '!=', allowed)
      .returningAll()
      .executeTakeFirst();
    if (row)
      await noteSecurityEvent(db, {
        ...{ owner, subject: server.name, from: { sessionId }, at: clock() },
        kind: allowed ? 'commands_allowed' : 'commands_forbidden',
      });
    await notifyChange(db, owner, 'servers', id);
    return row ?? server;
  });
}
