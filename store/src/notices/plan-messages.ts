import { groupedKinds, notificationRules } from '@homeport/contract/notifications/kinds';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { groupNews } from './group-news.ts';

/** Destinations of news that no message holds yet; a round takes these many. */
const destinationsAtOnce = 50;

type Destination = { id: string; owner: string };

/**
 * Decides which news leaves together for each destination. What concerns one server is gathered for half a minute and is one message; each
 * other piece is a message of its own. Where that is more than the destination may get within the hour, the last message is a summary
 * of the rest. Without room everything waits.
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
 * round and keep out those of other people.
 */
async function withRoom(db: Kysely<Database>, now: number): Promise<Destination[]> {
  const { rows } = await sql<Destination>`
    select w.id, w.owner_id as owner
    from (select distinct on (d.destination_id) d.destination_id, n.number as oldest,
          t.kind in (${sql.join(groupedKinds)}) and t.server_id is not null
            and abs(${now}::bigint - n.created_at) < ${notificationRules.groupMs} as gathers
        from notice_deliveries d join notices n on n.id = d.notice_id join notice_threads t on t.id = n.thread_id
        where d.message_id is null order by d.destination_id, n.number) undecided
      join notice_destinations w on w.id = undecided.destination_id
    where w.state = 'on' and not undecided.gathers and ${messagesOfHour(sql.ref('w.id'), now)} < ${notificationRules.perHour}
    order by undecided.oldest, w.id limit ${destinationsAtOnce}`.execute(db);
  return rows;
}

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
  return notificationRules.perHour - (await countMessages(db, destination, now));
}

async function holdPlanning(db: Kysely<Database>, destination: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('homeport notices ' || ${destination}, 0))`.execute(
    db,
  );
}

async function planFor(
  db: Kysely<Database>,
  { id: destination, owner }: Destination,
  now: number,
): Promise<void> {
  await holdPlanning(db, destination);
  await forgetUnwanted(db, destination);
  const room = await roomOfDestination(db, destination, now);
  if (room <= 0) return;
  const notices = await db
    .selectFrom('notice_deliveries as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .innerJoin('notice_threads as t', 't.id', 'n.thread_id')
    .select(['n.id', 't.kind', 't.server_id as serverId', 'n.created_at as at'])
    .where('d.destination_id', '=', destination)
    .where('d.message_id', 'is', null)
    .orderBy('n.number')
    .execute();
  const groups = groupNews(notices, now);
  const apart = groups.length <= room ? groups.length : room - 1;
  for (const group of groups.slice(0, apart))
    await addMessage(db, { destination, owner, now, notices: group });
  const rest = groups.slice(apart).flat();
  if (rest.length > 0) await addMessage(db, { destination, owner, now, notices: rest });
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
const messagesOfHour = (destination: RawBuilder<unknown>, now: number) => sql<number>`(
  select count(*)::integer from notice_messages m where m.destination_id = ${destination}
    and (not m.test or exists (select from notice_destinations e where e.id = m.destination_id and e.kind = 'email'))
    and (m.state = 'waiting' or m.state = 'sent' and m.ended_at > ${now - notificationRules.hourMs}))`;

async function countMessages(db: Kysely<Database>, destination: string, now: number): Promise<number> {
  const counted = sql<{ count: number }>`select ${messagesOfHour(sql`${destination}`, now)} as count`;
  const { rows } = await counted.execute(db);
  return rows[0]?.count ?? 0;
}

async function addMessage(
  db: Kysely<Database>,
  message: { destination: string; owner: string; now: number; notices: readonly string[] },
): Promise<void> {
  const { destination, owner, now, notices } = message;
  const { id } = await db
    .insertInto('notice_messages')
    .values({
      owner_id: owner,
      destination_id: destination,
      summary: notices.length > 1,
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
