import { eventSubjectCharacters } from '@homeport/contract/account/facts';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { notifyChange } from '../live/notify-change.ts';

/** Says more of an event when its end is known. An event that newer ones have pushed out stays away. */
export async function completeEvent(
  db: Kysely<Database>,
  { owner, id, subject }: { owner: Owner; id: string; subject: string },
): Promise<void> {
  await db
    .updateTable('security_events')
    .set({ subject: subject.slice(0, eventSubjectCharacters) })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  await notifyChange(db, owner, 'security-events', null);
}
