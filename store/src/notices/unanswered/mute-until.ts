import { notificationRules } from '@homeport/contract/notifications/kinds';
import { sql } from 'kysely';
import type { OwnerWrite } from '../../owner.ts';

/** One of the owner's own; whoever calls has looked it up as the owner's. A server is muted with its apps. */
export type MutedSubject = { of: 'incident' | 'server' | 'app'; id: string };

const columns = { incident: 'thread_id', server: 'server_id', app: 'app_id' } as const;

/**
 * Mutes a subject until a moment, in epoch milliseconds, or ends that with null. Another moment takes the place of the one before. False where the owner
 * has muted as much as a person may.
 */
export async function muteUntil(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  { of, id }: MutedSubject,
  { endsAt, now }: { endsAt: number | null; now: number },
): Promise<boolean> {
  const column = sql.ref(columns[of]);
  // Two that mute at once would count the same ones.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport mutes ${owner}`}, 0))`.execute(db);
  await sql`delete from notice_timed_mutes where owner_id = ${owner} and (ends_at <= ${now} or ${column} = ${id})`.execute(
    db,
  );
  if (endsAt === null) return true;
  const { rows } =
    await sql`insert into notice_timed_mutes (owner_id, ${column}, ends_at) select ${owner}::uuid, ${id}::uuid, ${endsAt}::bigint
    where (select count(*) from notice_timed_mutes where owner_id = ${owner}) < ${notificationRules.timedMutes} returning id`.execute(
      db,
    );
  return rows.length > 0;
}
