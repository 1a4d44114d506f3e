import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { holdPlanning } from '../hold-planning.ts';
import { messagesOfHour, roomOfDestination } from '../plan-messages.ts';
import { isFiring, isUnanswered } from './second-destinations.ts';

/** Destinations that a round reminds. */
const destinationsAtOnce = 50;

/**
 * Repeats to each destination that wants it what goes on and nobody has acknowledged. One message holds all of it: however much goes on, a
 * destination is reminded at most twice within the time that its person chose. A reminder is a message like any other, counts within
 * the hour, and leaves the last place of the hour to news. Without room, and in quiet hours, it waits, and takes no place of others in a round.
 */
export async function planRepeats(db: Kysely<Database>, now: number): Promise<void> {
  const { rows } = await sql<{ id: string; owner: string }>`
    select w.id, w.owner_id as owner from notice_destinations w
      cross join lateral (select min(told.at) as at from (${told(now)}) told) oldest
    where w.state = 'on' and w.repeat_hours is not null and oldest.at <= ${now} - ${repeatMs} and not ${isReminded(now)}
      and ${messagesOfHour(sql.ref('w.id'), now)} < w.per_hour - 1
    order by oldest.at, w.id limit ${destinationsAtOnce}`.execute(db);
  let failure: { error: unknown } | undefined;
  // One that fails, because it is removed at this moment, keeps no other waiting.
  for (const destination of rows)
    await db
      .transaction()
      .execute((transaction) => repeatTo(transaction, destination, now))
      .catch((error: unknown) => {
        failure ??= { error };
      });
  if (failure) throw failure.error;
}

/**
 * SQL: a reminder is on its way to the destination `w`, whose text is made when it leaves, so a second one would say the same; or one was made within half
 * of the time, whatever came of it.
 */
const isReminded = (now: number) => sql<boolean>`exists (
  select from notice_messages m where m.destination_id = w.id and m.repeats is not null
    and (m.state = 'waiting' or m.created_at > ${now} - ${repeatMs} / 2))`;

const repeatMs = sql`w.repeat_hours * 3600000::bigint`;

/**
 * SQL: the news, one piece of each incident, that a message to the destination `w` held and that is not answered, with the time when it was told there last.
 * In quiet hours only what passes then.
 */
const told = (now: number) => sql`
  select distinct on (t.id) n.id, n.number, greatest(m.ended_at, coalesce(d.repeated_at, 0)) as at
  from notice_threads t join notices n on n.thread_id = t.id
    join notice_deliveries d on d.notice_id = n.id and d.destination_id = w.id
    join notice_messages m on m.id = d.message_id
  where t.owner_id = w.owner_id and ${isUnanswered} and ${isFiring()} and m.state in ('sent', 'refused')
    and wants_notice(t.server_id, t.app_id, t.kind, t.proxy_id)
    and muted_until(t.id, t.server_id, t.app_id, ${now}::bigint) is null
    and (not is_quiet(w.quiet_hours, ${now}::bigint) or d.grave and coalesce((w.quiet_hours ->> 'grave')::boolean, false))
  order by t.id, n.number desc`;

async function repeatTo(
  db: Kysely<Database>,
  { id, owner }: { id: string; owner: string },
  now: number,
): Promise<void> {
  await holdPlanning(db, id);
  // As for other messages: whoever ends the ways into the account holds it first.
  await db.selectFrom('auth.user').select('id').where('id', '=', owner).forKeyShare().execute();
  if ((await roomOfDestination(db, id, now)) < 2) return;
  // What was told within half of the time is not repeated yet, and another process may have been faster.
  const { rows } = await sql<{ id: string; isDue: boolean }>`
    select told.id, told.at <= ${now} - ${repeatMs} as "isDue" from notice_destinations w cross join lateral (${told(now)}) told
    where w.id = ${id} and w.state = 'on' and not ${isReminded(now)} and told.at <= ${now} - ${repeatMs} / 2 order by told.number`.execute(
    db,
  );
  if (!rows.some(({ isDue }) => isDue)) return;
  const repeats = rows.map((row) => row.id);
  await db
    .insertInto('notice_messages')
    .values({
      ...{ owner_id: owner, destination_id: id, repeats, summary: repeats.length > 1 },
      ...{ created_at: now, due_at: now },
    })
    .execute();
}
