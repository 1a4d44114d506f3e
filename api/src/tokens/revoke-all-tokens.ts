import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { notifyChange } from '../live/notify-change.ts';
import { lockAccount } from '../records/account-lock.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/**
 * Revokes every token of the person at once. A token that is being made waits until this is over, or is among them; a terminal that was
 * approved and has not fetched its token yet gets none. Returns how many tokens ended.
 */
export async function revokeAllTokens(
  { store, clock }: { store: Store; clock: () => number },
  { userId, sessionId }: SessionIdentity,
): Promise<number> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    const { db, notify } = scope;
    await lockAccount(scope);
    const revoked = await db.deleteFrom('api_tokens').where('owner_id', '=', owner).returning('id').execute();
    await db.deleteFrom('device_codes').where('owner_id', '=', owner).execute();
    for (const { id } of revoked) await notify('session', { ended: id });
    if (revoked.length > 0) {
      const subject = revoked.length === 1 ? 'the only one' : `all ${revoked.length}`;
      await noteSecurityEvent(db, {
        owner,
        kind: 'token_revoked',
        subject,
        from: { sessionId },
        at: clock(),
      });
    }
    await notifyChange(db, owner, 'tokens', null);
    return revoked.length;
  });
}
