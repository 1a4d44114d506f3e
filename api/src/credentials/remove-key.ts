import type { Owner, Store } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';

/**
 * Removes a public key. Servers that use it keep its id, and report the key as missing until they get
 * another.
 */
export async function removeKey(store: Store, owner: Owner, id: string): Promise<void> {
  await store.transact(owner, async ({ db }) => {
    const removed = await db
      .deleteFrom('keys')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!removed) throw notFound('key');
    await tellChange(db, owner, 'keys', id);
  });
}
