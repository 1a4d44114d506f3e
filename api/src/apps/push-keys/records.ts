import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { keyNameOf } from '../continuous/key-name.ts';
import { findSetUp } from '../continuous/records.ts';

/** The person’s keypairs, the oldest first. */
export const listOwnKeys = (db: Kysely<Database>, owner: Owner) =>
  db
    .selectFrom('keys')
    .select(['id', 'name', 'fingerprint'])
    .where('owner_id', '=', owner)
    .orderBy('added_at')
    .orderBy('id')
    .execute();

/** The name of the key with which GitHub deploys the app; null: no continuous deployment is set up. */
export async function deployingName(
  db: Kysely<Database>,
  owner: Owner,
  appId: string,
): Promise<string | null> {
  return (await findSetUp({ owner, db }, appId)) === null ? null : keyNameOf(appId);
}
