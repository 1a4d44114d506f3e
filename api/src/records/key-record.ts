import type { OwnerRead } from '@homeport/store';

/** The `authorized_keys` line of an owner’s key. Null for a missing key and for another person’s key. */
export async function findPublicKey({ owner, db }: OwnerRead, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('keys')
    .select('public_key')
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.public_key ?? null;
}
