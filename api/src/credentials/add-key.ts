import type { Key } from '@homeport/contract/credentials/schema';
import { messages } from '@homeport/contract/messages';
import type { SessionIdentity } from '@homeport/contract/services';
import { countOwned, ownerFromSession, type Store } from '@homeport/store';
import { limitReached } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { invalidField } from '../http/validation.ts';
import { notifyChange } from '../live/notify-change.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { listKeys } from './list-keys.ts';
import { parsePublicKey } from './parse-public-key.ts';

/**
 * Stores the public half of a keypair. Throws `invalid_input` for text that is no key, `conflict` for a key
 * that is stored already, and `limit_reached` if the person has `most` keys.
 */
export async function addKey(
  { store, clock, most }: { store: Store; clock: () => number; most: number },
  { userId, sessionId }: SessionIdentity,
  input: { name: string; publicKey: string },
): Promise<Key> {
  const owner = ownerFromSession(userId);
  const now = clock();
  const key = parsePublicKey(input.publicKey);
  if (!key) throw invalidField('publicKey', messages.invalidKey);

  await store.transact(owner, async (scope) => {
    const { db } = scope;
    const held = await countOwned(scope, 'keys');
    const added = await db
      .insertInto('keys')
      .values({
        owner_id: owner,
        id: key.id,
        name: input.name,
        public_key: key.line,
        fingerprint: key.fingerprint,
        algorithm: key.algorithm,
        added_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) {
      const message = 'You have already added this key.';
      throw new ProblemError('conflict', message, { fields: { publicKey: message } });
    }
    if (held >= most) throw limitReached('keys', most);
    await notifyChange(db, owner, 'keys', key.id);
    const event = { owner, subject: input.name, from: { sessionId }, at: now };
    await noteSecurityEvent(db, { ...event, kind: 'key_added' });
  });

  const stored = (await listKeys(store, owner)).find(({ id }) => id === key.id);
  if (!stored) throw new ProblemError('not_found', 'The key was removed in the meantime. Add it again.');
  return stored;
}
