import { endingEvents, firingEvents, type NewsKind } from '@homeport/contract/notifications/kinds';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database.ts';

/** SQL: so long, in milliseconds, what begins waits for the destination `w` before it goes there. With 0 it goes at once. */
export const waitMs = sql<number>`w.after_minutes * 60000`;

const isOneOf = (events: readonly string[]) => sql<boolean>`n.event in (${sql.join(events)})`;

/** SQL: with the notice `n` something began. */
export const isFiring = () => isOneOf(firingEvents);

const isEnding = () => isOneOf(endingEvents);

/** SQL: when the notice `n` leaves for a destination that waits so long. Only what begins waits. */
export const leavesAt = (wait: RawBuilder<unknown>) =>
  sql<number>`(n.created_at + case when ${isFiring()} then ${wait}::bigint else 0 end)`;

/** SQL: the incident of the thread `t` goes on. Its end is raised a moment before the thread ends. */
const goesOnSql = `(t.ended_at is null and not exists (
  select from notices o where o.thread_id = t.id and o.event in (${endingEvents.map((event) => `'${event}'`).join(', ')})))`;
const goesOn = sql.raw<boolean>(goesOnSql);

/**
 * SQL: nobody has acknowledged what the notice `n` of the thread `t` says. What an incident becomes later is not acknowledged yet. Whoever looks into a silent server
 * looks into its apps.
 */
const openSql = `((t.acknowledged_at is null or n.created_at > t.acknowledged_at) and not (t.kind = 'app.down' and exists (
  select from notice_threads s where s.server_id = t.server_id and s.kind = 'server.offline' and s.ended_at is null
    and s.acknowledged_at is not null)))`;
const isOpen = sql.raw<boolean>(openSql);

/** SQL: the incident of the thread `t` goes on, and nobody has acknowledged what its notice `n` says. */
export const unansweredSql = `(${openSql} and ${goesOnSql})`;
export const isUnanswered = sql.raw<boolean>(unansweredSql);

/** SQL: the incident of the notice `n` was told of before at the destination of the delivery `d`. */
const wasTold = sql<boolean>`exists (
  select from notices b join notice_deliveries f on f.notice_id = b.id and f.destination_id = d.destination_id
  where b.thread_id = n.thread_id and f.message_id is not null)`;

/**
 * SQL: the incident of the thread `t`, which the notice `n` is of, is muted. The end of what was told before is sent all the same, so that
 * nothing stays open elsewhere.
 */
export const isMuted = (now: number) =>
  sql<boolean>`(muted_until(t.id, t.server_id, t.app_id, ${now}::bigint) is not null and not (${isEnding()} and ${wasTold}))`;

/** SQL: the notice `n`, or another one of its incident, was raised in a mute: a beginning and its end leave both or neither. */
const wasMuted = sql<boolean>`exists (select from notices b where b.thread_id = n.thread_id and b.muted)`;

/**
 * SQL: the notice `n` may leave for a destination that waits so long. What begins there, or was muted, leaves when its time has come and nobody has
 * acknowledged it: until it is over, the acknowledgement may be taken back. What is over is chosen, to be forgotten.
 */
export const isReady = (wait: RawBuilder<unknown>, now: number) =>
  sql<boolean>`(not ${isFiring()} or ${wait}::bigint = 0 and not ${wasMuted}
    or ${leavesAt(wait)} <= ${now}::bigint and (${isOpen} or not ${goesOn}))`;

const broken: NewsKind = 'destination';

/**
 * SQL: the delivery `d` to a second destination, or after a mute, still has a reason. `ofBeginning`: what is asked of a beginning. That a destination
 * is broken is for all others: nobody may have heard of anything there. What has no end goes where it is taken at once, and to a second destination
 * where nothing else takes it.
 */
const hasReason = (ofBeginning: RawBuilder<boolean>) => sql<boolean>`(case when ${isEnding()} then ${wasTold}
  when ${isFiring()} then ${ofBeginning} when t.kind = ${broken} then true
  else not n.muted and (exists (select from notice_destinations o
      where o.id = d.destination_id and o.after_minutes = 0)
    or not exists (select from notice_destinations o
      where o.owner_id = d.owner_id and o.state = 'on' and o.after_minutes = 0)) end)`;

/** SQL: `forgetAnswered` leaves the delivery `d`, to a destination that waits so long. What a moment later is not left any more goes in the next round. */
export const isKept = (wait: RawBuilder<unknown>) =>
  sql<boolean>`(${wait}::bigint = 0 and not ${wasMuted} or ${hasReason(goesOn)})`;

/** SQL: the delivery `d` to the destination `w` goes there now or later, as far as is known. */
export const goesThere = sql<boolean>`(w.after_minutes = 0 and not ${wasMuted} or ${hasReason(isUnanswered)})`;

/**
 * Removes what a second destination, or any one after a mute, need not get any more: what began and is over, what has no end, and the end of what
 * it was not told of.
 */
export async function forgetAnswered(
  db: Kysely<Database>,
  { destination, wait, now }: { destination: string; wait: number; now: number },
): Promise<void> {
  await sql`delete from notice_deliveries d using notices n, notice_threads t
    where d.destination_id = ${destination} and d.message_id is null and n.id = d.notice_id and t.id = n.thread_id
      and not ${isMuted(now)} and not ${isKept(sql.val(wait))}`.execute(db);
}

/**
 * For destinations that wait no longer, before they are changed: what began there and is over meanwhile would be sent, and its end not.
 * What is acknowledged and goes on is sent as at each destination without a wait, and then its end.
 * Whoever calls keeps others from planning for them.
 */
export async function forgetSettled(db: Kysely<Database>, destinations: readonly string[]): Promise<void> {
  await sql`delete from notice_deliveries d using notices n, notice_threads t, notice_destinations w
    where d.destination_id = any(${destinations}::uuid[]) and w.id = d.destination_id and w.after_minutes > 0 and d.message_id is null
      and n.id = d.notice_id and t.id = n.thread_id and not ${hasReason(goesOn)}`.execute(db);
}
