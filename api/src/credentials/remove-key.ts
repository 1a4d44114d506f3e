import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/**
 * Removes a public key. Servers that use it keep its id, and report the key as missing until they get
 * another.
 */
export async function removeKey(
  { store, clock }: { store: Store; clock: () => number },
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<void> {
  const owner = ownerFromSession(userId);
  await store.transact(owner, async ({ db }) => {
    const removed = await db
      .deleteFrom('keys')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw notFound('key');
    await notifyChange(db, owner, 'keys', id);
    const event = { owner, subject: removed.name, from: { sessionId }, at: clock() };
    await noteSecurityEvent(db, { ...event, kind: 'key_removed' });
  });
}
