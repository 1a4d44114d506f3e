import type { Database, Owner } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { notifyChange } from '../live/notify-change.ts';

/**
 * Records what the console itself found out about a server, and leaves the version of the user’s own edits as
 * it is.
 */
export async function recordServerFacts(
  db: Kysely<Database>,
  owner: Owner,
  id: string,
  facts: Updateable<Database['servers']>,
): Promise<void> {
  await db.updateTable('servers').set(facts).where('owner_id', '=', owner).where('id', '=', id).execute();
  await notifyChange(db, owner, 'servers', id);
}
