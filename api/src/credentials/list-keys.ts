import type { Key } from '@homeport/contract/credentials/schema';
import type { Owner, Store } from '@homeport/store';

/** The oldest key first, each with the servers that use it. */
export function listKeys(store: Store, owner: Owner): Promise<Key[]> {
  return store.read(owner, async ({ db }) => {
    const keys = await db
      .selectFrom('keys')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('added_at')
      .orderBy('id')
      .execute();
    const servers = await db
      .selectFrom('servers')
      .select(['id', 'key', 'name', 'credential'])
      .where('owner_id', '=', owner)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return keys.map((row) => ({
      id: row.id,
      name: row.name,
      publicKey: row.public_key,
      fingerprint: row.fingerprint,
      algorithm: row.algorithm,
      addedAt: row.added_at,
      usedBy: servers
        .filter(({ credential }) => credential === row.id)
        .map(({ id, key, name }) => ({ id, key, name })),
    }));
  });
}
