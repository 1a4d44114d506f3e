import type { SessionIdentity } from '@homeport/contract/services';
import type { OwnerWrite, Store } from '@homeport/store';
import { ownerFromSession } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { deviceInWords } from '../security-events/device-in-words.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

type Deps = { store: Store; clock: () => number };

/** Ends one sign-in of the person. Its streams, sockets and connections end in every replica. */
export async function endSession(
  { store, clock }: Deps,
  session: SessionIdentity,
  id: string,
): Promise<void> {
  await store.transact(ownerFromSession(session.userId), async (scope) => {
    await holdAccount(scope);
    const ended = await scope.db
      .deleteFrom('auth.session')
      .where('userId', '=', scope.owner)
      .where('id', '=', id)
      .returning(['id', 'userAgent'])
      .executeTakeFirst();
    if (!ended) throw notFound('sign-in');
    await scope.notify('session', { ended: ended.id });
    await tellEnded(scope, session, deviceInWords(ended.userAgent), clock());
  });
}

/** Ends every sign-in of the person except the one that asks. Returns how many there were. */
export async function endOtherSessions({ store, clock }: Deps, session: SessionIdentity): Promise<number> {
  return store.transact(ownerFromSession(session.userId), async (scope) => {
    await holdAccount(scope);
    const ended = await deleteOtherSessions(scope, session.sessionId);
    if (ended > 0) await tellEnded(scope, session, sessionsInWords(ended), clock());
    return ended;
  });
}

/** Ends the sign-ins beside this one inside a transaction. Returns how many there were. */
export async function deleteOtherSessions({ owner, db, notify }: OwnerWrite, kept: string): Promise<number> {
  const ended = await db
    .deleteFrom('auth.session')
    .where('userId', '=', owner)
    .where('id', '<>', kept)
    .returning('id')
    .execute();
  for (const { id } of ended) await notify('session', { ended: id });
  await notifyChange(db, owner, 'sessions', null);
  return ended.length;
}

async function tellEnded(
  { owner, db }: OwnerWrite,
  { sessionId }: SessionIdentity,
  subject: string,
  at: number,
): Promise<void> {
  await noteSecurityEvent(db, { owner, kind: 'sessions_ended', subject, from: { sessionId }, at });
  await notifyChange(db, owner, 'sessions', null);
}

const sessionsInWords = (count: number) => (count === 1 ? '1 sign-in' : `${count} sign-ins`);
