import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';

/** The person’s keypairs, the oldest first. */
export const listOwnKeys = (db: Kysely<Database>, owner: Owner) =>
  db
    .selectFrom('keys')
    .select(['id', 'name', 'fingerprint'])
    .where('owner_id', '=', owner)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
