import type { DestinationKind } from '@homeport/contract/destinations/facts';
import type { NewsKind } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { unansweredSql } from './unanswered/second-destinations.ts';

/** A message that is this claimer's until the claim's end. */
export type ClaimedMessage = {
  id: string;
  /** Names the claim: the outcome has to carry it. */
  version: number;
  /** Counts this one. */
  attempts: number;
  /** Whose message it is. */
  owner: string;
  /** `version`: of the row, so that an outcome says nothing of a target that was replaced meanwhile. */
  destination: { id: string; kind: DestinationKind; version: number };
  /** The destination's sealed target; null for the address of the account. */
  sealed: Buffer | null;
  summary: boolean;
  /** Somebody asked for it, and it holds no news. */
  test: boolean;
  /** It repeats news that was sent before. `notices` are those of which something still goes on unacknowledged. */
  repeat: boolean;
  person: { name: string; address: string; verified: boolean };
  /** In the order in which they were raised; none where all of them are gone. */
  notices: { kind: NewsKind; facts: unknown; thread: string; at: number }[];
  /** The messages of the same thread that were sent before, oldest first; none for a summary. */
  earlier: string[];
  /** How the service named the first of them that held no other news; null where it named none. */
  firstPosted: string | null;
  /** How far an earlier try of this message came, as its channel said; null before the first one. */
  reached: string | null;
};

export type ClaimShares = {
  atMost: number;
  /** Messages of one owner that this process may have on their way. */
  ofOwner: number;
  /** How many it has on their way already, by owner. */
  underWay: Readonly<Record<string, number>>;
};

/** SQL: the notices that the message `c` holds, or repeats. */
const held = `(select notice_id from notice_deliveries where message_id = c.id union all select unnest(c.repeats))`;

/** SQL: the messages `e` to the destination of the message `c` that told of the same incident before and were sent. */
const sentBefore = `${held} mine join notices n on n.id = mine.notice_id
          join notices before on before.thread_id = n.thread_id
          join notice_deliveries theirs on theirs.notice_id = before.id and theirs.destination_id = c.destination_id
          join notice_messages e on e.id = theirs.message_id
        where e.state = 'sent' and e.number < c.number`;

/** SQL: the claimed messages `claimed`, as `ClaimedMessage`. */
const asClaimed = `
    select c.id, c.version, c.attempts, c.owner_id as owner, c.summary, c.test, c.repeats is not null as repeat, w.sealed,
      case when c.attempts > 1 then c.posted end as reached,
      json_build_object('id', w.id, 'kind', w.kind, 'version', w.version) as destination,
      json_build_object('name', u.name, 'address', u.email, 'verified', u."emailVerified") as person,
      coalesce((select json_agg(json_build_object('kind', t.kind, 'facts', n.facts, 'thread', t.id, 'at', n.created_at)
          order by n.number)
        from ${held} h join notices n on n.id = h.notice_id join notice_threads t on t.id = n.thread_id
        where c.repeats is null or ${unansweredSql} and wants_notice(t.server_id, t.app_id, t.kind, t.proxy_id)), '[]') as notices,
      case when c.summary then '{}' else array(
        select e.id from ${sentBefore} group by e.id, e.number order by e.number) end as earlier,
      case when not c.summary then (
        select e.posted from ${sentBefore} and not e.summary and e.posted is not null order by e.number limit 1) end as "firstPosted"
    from claimed c join auth."user" u on u.id = c.owner_id join notice_destinations w on w.id = c.destination_id
    order by c.number`;

const claim = {
  name: 'claim_messages',
  text: `with open as (
      select m.id, row_number() over (partition by m.owner_id order by m.number)
          + coalesce(($5::jsonb ->> m.owner_id::text)::integer, 0) as place
      from notice_messages m join notice_destinations w on w.id = m.destination_id
      where m.state = 'waiting' and m.due_at <= $1 and (select may_act()) and (m.test or w.state = 'on' and not exists (
        select from notice_messages e where e.destination_id = m.destination_id
          and e.state = 'waiting' and e.number < m.number and not e.test))),
    due as (
      select m.id from notice_messages m join open o on o.id = m.id
      where o.place <= $4 and m.state = 'waiting' and m.due_at <= $1
      order by m.number limit $3 for update of m skip locked),
    claimed as (
      update notice_messages m set due_at = $2, version = m.version + 1, attempts = m.attempts + 1
      from due where m.id = due.id returning m.*)${asClaimed}`,
};

/**
 * Takes messages that nobody else has, at most one for each destination, so that they arrive in order. Claimers that
 * ask at once get different ones.
 *
 * @param endsAt when the claim ends: what has not been kept by then is due again, for anybody
 */
export async function claimMessages(
  pool: pg.Pool,
  { now, endsAt, atMost, ofOwner, underWay }: { now: number; endsAt: number } & ClaimShares,
): Promise<ClaimedMessage[]> {
  const values = [now, endsAt, atMost, ofOwner, JSON.stringify(underWay)];
  const { rows } = await pool.query<ClaimedMessage>({ ...claim, values });
  return rows;
}

const claimOne = {
  name: 'claim_one_message',
  text: `with claimed as (
      update notice_messages set due_at = $2, version = version + 1, attempts = attempts + 1
      where id = $1 and state = 'waiting' and attempts = 0 returning *)${asClaimed}`,
};

/** Takes a message that this process has just added, to send it at once. Null where another process was faster. */
export async function claimMessage(
  pool: pg.Pool,
  id: string,
  endsAt: number,
): Promise<ClaimedMessage | null> {
  const { rows } = await pool.query<ClaimedMessage>({ ...claimOne, values: [id, endsAt] });
  return rows[0] ?? null;
}
