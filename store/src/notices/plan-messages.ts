import { groupedKinds, notificationRules } from '@homeport/contract/notifications/kinds';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Grouped, groupNews } from './group-news.ts';
import { holdPlanning } from './hold-planning.ts';
import {
  forgetAnswered,
  isKept,
  isMuted,
  isReady,
  leavesAt,
  waitMs,
} from './unanswered/second-destinations.ts';

/** Destinations of news that no message holds yet; a round takes these many. */
const destinationsAtOnce = 50;

type Destination = { id: string; owner: string };

/**
 * Decides which news leaves together for each destination. What concerns one server is gathered for a while and is one message; each
 * other piece is a message of its own. Where that is more than the destination may get within the hour, the last message is a summary
 * of the rest. Without room everything waits, and so does news in quiet hours, save what is grave where its person wants that.
 */
export async function planMessages(db: Kysely<Database>, now: number): Promise<void> {
  const destinations = await withRoom(db, now);
  let failure: { error: unknown } | undefined;
  // One that fails, because it is removed at this moment, keeps no other waiting.
  for (const destination of destinations)
    await db
      .transaction()
      .execute((transaction) => planFor(transaction, destination, now))
      .catch((error: unknown) => {
        failure ??= { error };
      });
  if (failure) throw failure.error;
}

/**
 * Those with room whose oldest news gathers no longer, the longest waiting first: a destination that has to wait would be taken in every
 * round and keep out those of other people. The last place of an hour is kept while an outage gathers, so a destination with no other one
 * has to wait as well.
 */
async function withRoom(db: Kysely<Database>, now: number): Promise<Destination[]> {
  const undecidedOf = sql`notice_deliveries d join notices n on n.id = d.notice_id join notice_threads t on t.id = n.thread_id
    where d.destination_id = roomy.id and d.message_id is null and (not roomy."isQuiet" or d.grave)
      and ${isReady(sql.ref('roomy.waitMs'), now)} and not ${isMuted(now)}`;
  const isYoung = sql`abs(${now}::bigint - ${leavesAt(sql.ref('roomy.waitMs'))}) < ${notificationRules.groupMs}`;
  const { rows } = await sql<Destination>`
    with counted as materialized (
      select w.id, w.owner_id as owner, ${messagesOfHour(sql.ref('w.id'), now)} as sent,
        w.per_hour as "perHour", ${waitMs} as "waitMs", is_quiet(w.quiet_hours, ${now}::bigint) as "isQuiet", ${letsGravePass} as "gravePasses"
      from notice_destinations w
        cross join lateral (select from notice_deliveries where destination_id = w.id and message_id is null limit 1) waiting
      where w.state = 'on'),
    roomy as materialized (select * from counted where sent < "perHour" and (not "isQuiet" or "gravePasses" and exists (
      select from notice_deliveries where destination_id = counted.id and message_id is null and grave)))
    select roomy.id, roomy.owner
    from roomy cross join lateral (
      select n.number, ${isOfGroup} and ${isYoung} as gathers from ${undecidedOf} order by n.number limit 1) oldest
    where not oldest.gathers and (roomy.sent < roomy."perHour" - 1 or coalesce((
      select bool_or(not ${isYoung}) from ${undecidedOf} and ${isOfGroup}), true))
    order by oldest.number, roomy.id limit ${destinationsAtOnce}`.execute(db);
  return rows;
}

/** SQL: what is grave does not wait for the end of the quiet hours of the destination `w`. */
const letsGravePass = sql<boolean>`coalesce((w.quiet_hours ->> 'grave')::boolean, false)`;

/** SQL: the incident of the notice `n` has grave news that waits for the destination: all of it leaves together. */
const leavesWithGrave = (destination: string) => sql<boolean>`n.thread_id in (
  select g.thread_id from notice_deliveries f join notices g on g.id = f.notice_id
  where f.destination_id = ${destination} and f.message_id is null and f.grave)`;

/** SQL: the beginning of the thread of the notice `n`, which the delivery `d` is for, has a message of its own at the same destination. */
const beganAlone = sql<boolean>`exists (
  select from notices b join notice_deliveries f on f.notice_id = b.id and f.destination_id = d.destination_id
    join notice_messages m on m.id = f.message_id
  where b.thread_id = n.thread_id and b.number < n.number and not m.summary and m.state in ('waiting', 'sent'))`;

/** SQL: the notice `n` of the thread `t` is gathered with others of its server. */
const isOfGroup = sql<boolean>`(t.kind in (${sql.join(groupedKinds)}) and t.server_id is not null and not ${beganAlone})`;

/**
 * How many more messages the destination may get within the hour. Until the transaction ends, nothing is planned for it: replicas that
 * count at once would exceed the limit together.
 */
export async function roomOfDestination(
  db: Kysely<Database>,
  destination: string,
  now: number,
): Promise<number> {
  await holdPlanning(db, destination);
  const { rows } = await sql<{ room: number }>`
    select w.per_hour - ${messagesOfHour(sql.ref('w.id'), now)} as room from notice_destinations w where w.id = ${destination}`.execute(
    db,
  );
  return rows[0]?.room ?? 0;
}

async function planFor(
  db: Kysely<Database>,
  { id: destination, owner }: Destination,
  now: number,
): Promise<void> {
  await holdPlanning(db, destination);
  // Before its rows: whoever ends the ways into the account holds it, and then removes destinations with what waits for them.
  await db.selectFrom('auth.user').select('id').where('id', '=', owner).forKeyShare().execute();
  // It may have been switched off since it was chosen.
  const present = await readPresent(db, destination, now);
  if (!present) return;
  const { isQuiet, gravePasses, hasQuietHours, wait } = present;
  if (isQuiet && !gravePasses) return;
  await forgetUnwanted(db, destination);
  await forgetAnswered(db, { destination, wait, now });
  const room = await roomOfDestination(db, destination, now);
  if (room <= 0) return;
  const notices = await db
    .selectFrom('notice_deliveries as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .innerJoin('notice_threads as t', 't.id', 'n.thread_id')
    .select(['n.id', 't.kind', 't.server_id as serverId', 't.id as thread'])
    .select([leavesAt(sql.val(wait)).as('at'), beganAlone.as('beganAlone')])
    .where('d.destination_id', '=', destination)
    .where('d.message_id', 'is', null)
    .where(isReady(sql.val(wait), now))
    // Asked anew: an end that was raised since then leaves with its beginning or not at all.
    .where(isKept(sql.val(wait)))
    .where(sql<boolean>`not ${isMuted(now)}`)
    .$if(isQuiet, (query) => query.where(leavesWithGrave(destination)))
    .orderBy('n.number')
    .execute();
  const threadOf = new Map(notices.map(({ id, thread }) => [id, thread]));
  for (const ids of messagesFor(groupNews(notices, now, { isOneByIncident: hasQuietHours }), room)) {
    const threads = new Set(ids.map((id) => threadOf.get(id) ?? id));
    await addMessage(db, { destination, owner, now, notices: ids, threads });
  }
}

/** Whether the destination has quiet hours now, what passes then, and how long news waits for an answer; undefined where it is not on. */
async function readPresent(db: Kysely<Database>, destination: string, now: number) {
  return db
    .selectFrom('notice_destinations as w')
    .select(sql<boolean>`is_quiet(w.quiet_hours, ${now}::bigint)`.as('isQuiet'))
    .select([letsGravePass.as('gravePasses'), sql<boolean>`w.quiet_hours is not null`.as('hasQuietHours')])
    .select(waitMs.as('wait'))
    .where('id', '=', destination)
    .where('state', '=', 'on')
    .executeTakeFirst();
}

/**
 * What each message holds. Without room for all, the last one is a summary of the rest. While something gathers, that last place is kept
 * for it, unless an outage is ready to take it: then a steady stream of outages would keep all of them back.
 */
function messagesFor({ ready, isHeld }: Grouped, room: number): string[][] {
  const places = isHeld ? room - 1 : room;
  if (ready.length <= places) return ready.map(({ ids }) => ids);
  const apart = ready.slice(0, room - 1).map(({ ids }) => ids);
  if (isHeld && (room > 1 || !ready.some(({ isOfServer }) => isOfServer))) return apart;
  return [...apart, ready.slice(room - 1).flatMap(({ ids }) => ids)];
}

/** What was switched off since it was raised. */
async function forgetUnwanted(db: Kysely<Database>, destination: string): Promise<void> {
  await sql`delete from notice_deliveries d using notices n, notice_threads t
    where d.destination_id = ${destination} and d.message_id is null
      and n.id = d.notice_id and t.id = n.thread_id and not wants_notice(t.server_id, t.app_id, t.kind, t.proxy_id)`.execute(
    db,
  );
}

/**
 * SQL: how many messages of a destination count within the hour. Those that wait count too: each may leave at any moment. A
 * test counts where it fills a mailbox.
 */
export const messagesOfHour = (destination: RawBuilder<unknown>, now: number) => sql<number>`(
  select count(*)::integer from notice_messages m where m.destination_id = ${destination}
    and (not m.test or exists (select from notice_destinations e where e.id = m.destination_id and e.kind = 'email'))
    and (m.state = 'waiting' or m.state = 'sent' and m.ended_at > ${now - notificationRules.hourMs}))`;

async function addMessage(
  db: Kysely<Database>,
  message: {
    destination: string;
    owner: string;
    now: number;
    notices: readonly string[];
    threads: ReadonlySet<string>;
  },
): Promise<void> {
  const { destination, owner, now, notices, threads } = message;
  const { id } = await db
    .insertInto('notice_messages')
    .values({
      owner_id: owner,
      destination_id: destination,
      summary: threads.size > 1,
      created_at: now,
      due_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('notice_deliveries')
    .set({ message_id: id })
    .where('destination_id', '=', destination)
    .where('notice_id', 'in', [...notices])
    .execute();
}
