import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ownerId } from '../../identity/sign-up-policy.ts';
import { notifyChange } from '../../live/notify-change.ts';

/** Pages of the owner read the console's backups again. */
export async function notifyOwner(db: Kysely<Database>): Promise<void> {
  const { id } = (await db.selectNoFrom(ownerId().as('id')).executeTakeFirst()) ?? { id: null };
  if (id !== null) await notifyChange(db, id, 'console', null);
}
