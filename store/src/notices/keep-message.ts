import type pg from 'pg';
import type { ClaimedMessage } from './claim-messages.ts';
import { holdPlanningSql } from './hold-planning.ts';
import { newsChange, threadChange } from './raise-notices.ts';

export type MessageOutcome =
  /** `posted`: how the service names the message that it took. */
  | { state: 'sent'; answer: string; posted?: string }
  | { state: 'refused' | 'unsent'; answer: string }
  /** To be tried again. `posted`: how far this try came. */
  | { state: 'waiting'; answer: string; dueAt: number; posted?: string }
  /** The destination takes nothing any more. */
  | { state: 'broken'; answer: string };

/**
 * Of a destination that broke, nothing that waits is sent: it would come late, all at once, on the day when somebody replaces the
 * target. A target that was replaced since the claim is not the one that broke.
 */
const keep = {
  name: 'keep_message',
  text: `with kept as (
      update notice_messages set state = case when $3 = 'broken' then 'refused' else $3 end, answer = $4,
        posted = coalesce($10, posted), due_at = coalesce($5, due_at), version = version + 1, ended_at = case when $3 = 'waiting' then null else $6::bigint end
      where id = $1 and version = $2 returning id, owner_id, destination_id, test, repeats),
    repeated as (
      update notice_deliveries d set repeated_at = $6::bigint from kept k
      where $3 = 'sent' and d.destination_id = k.destination_id and d.notice_id = any(k.repeats)),
    turned as (
      update notice_destinations w set state = case when $3 = 'broken' then 'broken' else 'on' end,
        problem = case when $3 = 'broken' then $4 end, version = w.version + 1,
        -- Whoever asked for a test has seen its answer.
        broken_at = case when $3 = 'broken' and not k.test then $6::bigint end
      from kept k where w.id = k.destination_id and w.version = $7
        and ($3 = 'broken' and w.state = 'on' or $3 = 'sent' and w.state = 'broken') returning w.id, w.state),
    dropped as (
      update notice_messages m set state = 'unsent', answer = $8, version = m.version + 1, ended_at = $6::bigint
      from turned t where t.state = 'broken' and m.destination_id = t.id and m.state = 'waiting' and m.id <> $1),
    paced as (
      update notice_messages m set due_at = $6::bigint + $9 from kept k
      where $9 > 0 and $3 <> 'broken' and m.destination_id = k.destination_id and m.id <> k.id and m.state = 'waiting'
        and not m.test and m.due_at < $6::bigint + $9),
    undecided as (
      delete from notice_deliveries d using turned t
      where t.state = 'broken' and d.destination_id = t.id and d.message_id is null)
    select count(pg_notify('changed', payload)) from (
      select json_build_object('owner', owner_id, 'topic', 'destinations', 'id', destination_id)::text as payload from kept
      union
      select ${newsChange('owner_id')} from kept
      union
      select ${threadChange} from kept k join notice_deliveries d on d.message_id = k.id join notices n on n.id = d.notice_id
        join notice_threads t on t.id = n.thread_id) told`,
};

const notTried = 'Not tried, because the destination took nothing any more.';

/**
 * Keeps what became of a claimed message. Where the claim has ended nothing is kept: somebody else has the message.
 *
 * @param paceMs what waits for the same destination is not due before this time has passed
 */
export async function keepMessage(
  pool: pg.Pool,
  { id, version, destination }: Pick<ClaimedMessage, 'id' | 'version' | 'destination'>,
  outcome: MessageOutcome,
  now: number,
  paceMs = 0,
): Promise<void> {
  const dueAt = outcome.state === 'waiting' ? outcome.dueAt : null;
  const posted = outcome.state === 'sent' || outcome.state === 'waiting' ? (outcome.posted ?? null) : null;
  const values = [
    ...[id, version, outcome.state, outcome.answer, dueAt, now, destination.version, notTried],
    ...[paceMs, posted],
  ];
  if (outcome.state !== 'broken') {
    await pool.query({ ...keep, values });
    return;
  }
  const client = await pool.connect();
  try {
    await client.query('begin');
    // What is planned at this moment would wait, and be sent late.
    await client.query(holdPlanningSql, [destination.id]);
    await client.query({ ...keep, values });
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
