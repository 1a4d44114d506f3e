import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import { refuseClosed } from '../remote/server-access.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/** Commands and terminals in the server's apps, or terminals on the server itself. */
type Right = 'commands_allowed' | 'shell_allowed';

const events = {
  commands_allowed: { given: 'commands_allowed', taken: 'commands_forbidden' },
  shell_allowed: { given: 'shell_allowed', taken: 'shell_forbidden' },
} as const satisfies Record<Right, Record<'given' | 'taken', SecurityEventKind>>;

/**
 * Gives the owner of a server a right on it, or takes it back. Nothing changes on the server. What was allowed already is no news.
 */
export function allowOnServer(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: () => number },
  { userId, sessionId }: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  { id, right, allowed }: { id: string; right: Right; allowed: boolean },
): Promise<ServerRow> {
  return store.transact(ownerFromSession(userId), async (scope) => {
    const { db, owner } = scope;
    if (allowed) await holdSession(scope, sessionId);
    const server = await findServer(scope, id);
    if (allowed) {
      refuseClosed(server);
      if (server.metal && right === 'commands_allowed')
        throw new ProblemError('conflict', 'This server is used without Dokku.');
    }
    const row = await db
      .updateTable('servers')
      .set({ [right]: allowed })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .where(right, '!=', allowed)
      .returningAll()
      .executeTakeFirst();
    if (row)
      await noteSecurityEvent(db, {
        ...{ owner, subject: server.name, from: { sessionId }, at: clock() },
        kind: events[right][allowed ? 'given' : 'taken'],
      });
    await notifyChange(db, owner, 'servers', id);
    return row ?? server;
  });
}
