import type { Change } from '@homeport/contract/live/schema';
import { type Database, notify } from '@homeport/store';
import type { Kysely } from 'kysely';

/**
 * Notifies the owner's pages that one record changed. With the id null, any record of the topic may have
 * changed. Inside a transaction (pass the transaction as `db`), the pages hear of the change when the
 * transaction commits, and never otherwise.
 */
export function notifyChange(
  db: Kysely<Database>,
  owner: string,
  topic: Change['topic'],
  id: string | null,
): Promise<void> {
  return notify(db, 'changed', { owner, topic, id });
}
