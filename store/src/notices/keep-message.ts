import type pg from 'pg';
import type { ClaimedMessage } from './claim-messages.ts';
import { threadChange } from './raise-notices.ts';

export type MessageOutcome =
  | { state: 'sent' | 'refused' | 'unsent'; answer: string }
  /** To be tried again. */
  | { state: 'waiting'; answer: string; dueAt: number };

const keep = {
  name: 'keep_message',
  text: `with kept as (
      update notice_messages set state = $3, answer = $4, due_at = coalesce($5, due_at), version = version + 1,
        ended_at = case when $3 = 'waiting' then null else $6::bigint end
      where id = $1 and version = $2 returning id, owner_id)
    select count(pg_notify('changed', ${threadChange}))
    from kept k join notice_deliveries d on d.message_id = k.id join notices n on n.id = d.notice_id
      join notice_threads t on t.id = n.thread_id`,
};

/** Keeps what became of a claimed message. Where the claim has ended nothing is kept: somebody else has the message. */
export async function keepMessage(
  pool: pg.Pool,
  { id, version }: Pick<ClaimedMessage, 'id' | 'version'>,
  outcome: MessageOutcome,
  now: number,
): Promise<void> {
  const dueAt = outcome.state === 'waiting' ? outcome.dueAt : null;
  await pool.query({ ...keep, values: [id, version, outcome.state, outcome.answer, dueAt, now] });
}
