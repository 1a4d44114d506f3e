import type { Key } from '@homeport/contract/credentials/schema';
import type { Owner, Store } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { listKeys } from './list-keys.ts';

/** Gives a stored public key another name. Nothing changes on the servers that use the key. */
export async function renameKey(store: Store, owner: Owner, id: string, name: string): Promise<Key> {
  await store.transact(owner, async ({ db }) => {
    const renamed = await db
      .updateTable('keys')
      .set({ name })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!renamed) throw notFound('key');
    await notifyChange(db, owner, 'keys', id);
  });
  const key = (await listKeys(store, owner)).find((each) => each.id === id);
  if (!key) throw notFound('key');
  return key;
}
