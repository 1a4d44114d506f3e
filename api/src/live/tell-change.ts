import type { Change } from '@homeport/contract/live/schema';
import { type Database, notify } from '@homeport/store';
import type { Kysely } from 'kysely';

/**
 * Says that one of `owner`'s records changed, or with the id null that any of the topic may have. Inside a transaction
 * (hand it over as `db`) the page hears of it when the transaction is kept, and never otherwise.
 */
export function tellChange(
  db: Kysely<Database>,
  owner: string,
  topic: Change['topic'],
  id: string | null,
): Promise<void> {
  return notify(db, 'changed', { owner, topic, id });
}
