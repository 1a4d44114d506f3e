import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/** Revokes a token at once. What its programs follow ends in every replica, as with a session that has ended. */
export async function revokeToken(
  { store, clock }: { store: Store; clock: () => number },
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<void> {
  const owner = ownerFromSession(userId);
  await store.transact(owner, async (scope) => {
    const { db, notify } = scope;
    await holdAccount(scope);
    const revoked = await db
      .deleteFrom('api_tokens')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (!revoked) throw notFound('token');
    await notify('session', { ended: id });
    const event = { owner, subject: revoked.name, from: { sessionId }, at: clock() };
    await noteSecurityEvent(db, { ...event, kind: 'token_revoked' });
    await notifyChange(db, owner, 'tokens', id);
  });
}
