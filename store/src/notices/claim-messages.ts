import type { DestinationKind, NotificationKind } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';

/** A message that is this claimer's until the claim's end. */
export type ClaimedMessage = {
  id: string;
  /** Names the claim: the outcome has to carry it. */
  version: number;
  /** Counts this one. */
  attempts: number;
  destination: { id: string; kind: DestinationKind };
  summary: boolean;
  person: { name: string; address: string; verified: boolean };
  /** In the order in which they were raised; none where all of them are gone. */
  notices: { kind: NotificationKind; facts: unknown }[];
  /** The messages of the same thread that were sent before, oldest first; none for a summary. */
  earlier: string[];
};

const claim = {
  name: 'claim_messages',
  text: `with due as (
      select m.id from notice_messages m where m.state = 'waiting' and m.due_at <= $1 and (select may_act())
        and not exists (select from notice_messages e where e.destination_id = m.destination_id
          and e.state = 'waiting' and e.number < m.number)
      order by m.number limit $3 for update of m skip locked),
    claimed as (
      update notice_messages m set due_at = $2, version = m.version + 1, attempts = m.attempts + 1
      from due where m.id = due.id returning m.*)
    select c.id, c.version, c.attempts, c.summary, json_build_object('id', w.id, 'kind', w.kind) as destination,
      json_build_object('name', u.name, 'address', u.email, 'verified', u."emailVerified") as person,
      coalesce((select json_agg(json_build_object('kind', t.kind, 'facts', n.facts) order by n.number)
        from notice_deliveries d join notices n on n.id = d.notice_id join notice_threads t on t.id = n.thread_id
        where d.message_id = c.id), '[]') as notices,
      case when c.summary then '{}' else array(
        select e.id from notice_deliveries mine join notices n on n.id = mine.notice_id
          join notices before on before.thread_id = n.thread_id
          join notice_deliveries theirs on theirs.notice_id = before.id and theirs.destination_id = c.destination_id
          join notice_messages e on e.id = theirs.message_id
        where mine.message_id = c.id and e.state = 'sent' and e.number < c.number
        group by e.id, e.number order by e.number) end as earlier
    from claimed c join auth."user" u on u.id = c.owner_id join notice_destinations w on w.id = c.destination_id
    order by c.number`,
};

/**
 * Takes messages that nobody else has, at most one for each destination, so that they arrive in order. Claimers that
 * ask at once get different ones.
 *
 * @param endsAt when the claim ends: what has not been kept by then is due again, for anybody
 */
export async function claimMessages(
  pool: pg.Pool,
  { now, endsAt, atMost }: { now: number; endsAt: number; atMost: number },
): Promise<ClaimedMessage[]> {
  const { rows } = await pool.query<ClaimedMessage>({ ...claim, values: [now, endsAt, atMost] });
  return rows;
}
