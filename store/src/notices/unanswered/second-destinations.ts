import { endingEvents, firingEvents } from '@homeport/contract/notifications/kinds';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database.ts';

/** SQL: so long, in milliseconds, news waits for the destination `w` before it goes there. With 0 it goes at once. */
export const waitMs = sql<number>`w.after_minutes * 60000`;

/** SQL: when the notice `n` leaves for a destination that waits so long. What is over goes at once. */
export const leavesAt = (wait: RawBuilder<unknown>) =>
  sql<number>`(n.created_at + case when ${isOneOf(endingEvents)} then 0 else ${wait}::bigint end)`;

/** SQL: the notice `n` has waited for long enough. Without a wait it has, also where the clock of whoever raised it is ahead. */
export const isDue = (wait: RawBuilder<unknown>, now: number) =>
  sql<boolean>`(${wait}::bigint = 0 or ${leavesAt(wait)} <= ${now}::bigint)`;

/** SQL: the incident of the thread `t` goes on, and nobody has acknowledged it. Its end is raised a moment before the thread ends. */
export const unansweredSql = `(t.ended_at is null and t.acknowledged_at is null and not exists (
  select from notices o where o.thread_id = t.id and o.event in (${endingEvents.map((event) => `'${event}'`).join(', ')})))`;
export const isUnanswered = sql.raw<boolean>(unansweredSql);

/** SQL: with the notice `n` something began. */
export const isFiring = () => isOneOf(firingEvents);

function isOneOf(events: readonly string[]) {
  return sql<boolean>`n.event in (${sql.join(events)})`;
}

/** SQL: the incident of the notice `n` was told of before at the destination of the delivery `d`. */
const wasTold = sql<boolean>`exists (
  select from notices b join notice_deliveries f on f.notice_id = b.id and f.destination_id = d.destination_id
  where b.thread_id = n.thread_id and f.message_id is not null)`;

/** SQL: the incident of the thread `t`, which the notice `n` is of, is muted. The end of what was told of before is sent all the same, so that nothing stays open elsewhere. */
export const isMuted = (now: number) =>
  sql<boolean>`(muted_until(t.id, t.server_id, t.app_id, ${now}::bigint) is not null and not (${isOneOf(endingEvents)} and ${wasTold}))`;

/** SQL: the notice `n` goes where it is unanswered only: it was muted, or it ends what was. */
const wasMuted = sql<boolean>`(n.muted or ${isOneOf(endingEvents)} and exists (
  select from notices b where b.thread_id = n.thread_id and b.muted))`;

/**
 * Removes what a second destination, or any one after a mute, need not get any more: what began and is over or acknowledged when its time has
 * come, what has no end, and the end of what it was not told of.
 */
export async function forgetAnswered(
  db: Kysely<Database>,
  { destination, wait, now }: { destination: string; wait: number; now: number },
): Promise<void> {
  await sql`delete from notice_deliveries d using notices n, notice_threads t
    where d.destination_id = ${destination} and d.message_id is null and n.id = d.notice_id and t.id = n.thread_id
      and (${wait}::bigint > 0 or ${wasMuted}) and ${isDue(sql.val(wait), now)} and not ${isMuted(now)}
      and not case when ${isOneOf(endingEvents)} then ${wasTold} else ${isFiring()} and ${isUnanswered} end`.execute(
    db,
  );
}
