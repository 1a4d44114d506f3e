import type { Database, Owner } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { tellChange } from '../live/tell-change.ts';

/** Records what the console found out about a server by itself; it does not touch the version of the user’s own edits. */
export async function recordServerFacts(
  db: Kysely<Database>,
  owner: Owner,
  id: string,
  facts: Updateable<Database['servers']>,
): Promise<void> {
  await db.updateTable('servers').set(facts).where('owner_id', '=', owner).where('id', '=', id).execute();
  await tellChange(db, owner, 'servers', id);
}
