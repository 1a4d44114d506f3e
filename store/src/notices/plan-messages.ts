import { type NotificationChannel, notificationRules } from '@homeport/contract/notifications/kinds';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';

/** People who have news that no message holds yet; a round takes these many. */
const peopleAtOnce = 50;

/**
 * Decides which news leaves together. Each piece is a message of its own while its owner may get that many more within the
 * hour; where there is more news than that, the last message is a summary of the rest. Without room everything waits.
 */
export async function planMessages(
  db: Kysely<Database>,
  channel: NotificationChannel,
  now: number,
): Promise<void> {
  const people = await db
    .selectFrom('notice_deliveries')
    .select('owner_id')
    .distinct()
    .where('channel', '=', channel)
    .where('message_id', 'is', null)
    .limit(peopleAtOnce)
    .execute();
  for (const { owner_id } of people) {
    await db.transaction().execute((transaction) => planFor(transaction, owner_id, channel, now));
  }
}

async function planFor(
  db: Kysely<Database>,
  owner: string,
  channel: NotificationChannel,
  now: number,
): Promise<void> {
  // Replicas that plan at once would count the same messages and exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended('homeport notices ' || ${owner}, 0))`.execute(db);
  await forgetUnwanted(db, owner, channel);
  const room = notificationRules.perHour - (await countMessages(db, owner, channel, now));
  if (room <= 0) return;
  const notices = await db
    .selectFrom('notice_deliveries as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .select('n.id')
    .where('d.owner_id', '=', owner)
    .where('d.channel', '=', channel)
    .where('d.message_id', 'is', null)
    .orderBy('n.number')
    .execute();
  const ids = notices.map(({ id }) => id);
  const single = ids.length <= room ? ids.length : room - 1;
  for (const id of ids.slice(0, single)) await addMessage(db, { owner, channel, now, notices: [id] });
  if (ids.length > single) await addMessage(db, { owner, channel, now, notices: ids.slice(single) });
}

/** What was switched off since it was raised. */
async function forgetUnwanted(db: Kysely<Database>, owner: string, channel: string): Promise<void> {
  await sql`delete from notice_deliveries d using notices n, notice_threads t
    where d.owner_id = ${owner} and d.channel = ${channel} and d.message_id is null
      and n.id = d.notice_id and t.id = n.thread_id and not wants_notice(t.server_id, t.app_id, t.kind, t.proxy_id)`.execute(
    db,
  );
}

/** Those that wait count too: each may leave at any moment. */
async function countMessages(
  db: Kysely<Database>,
  owner: string,
  channel: string,
  now: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('notice_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner)
    .where('channel', '=', channel)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'waiting'),
        eb.and([eb('state', '=', 'sent'), eb('ended_at', '>', now - notificationRules.hourMs)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function addMessage(
  db: Kysely<Database>,
  message: { owner: string; channel: string; now: number; notices: readonly string[] },
): Promise<void> {
  const { owner, channel, now, notices } = message;
  const { id } = await db
    .insertInto('notice_messages')
    .values({ owner_id: owner, channel, summary: notices.length > 1, created_at: now, due_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('notice_deliveries')
    .set({ message_id: id })
    .where('channel', '=', channel)
    .where('notice_id', 'in', [...notices])
    .execute();
}
