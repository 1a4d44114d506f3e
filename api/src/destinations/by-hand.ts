import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { DestinationDelivery } from '@homeport/contract/destinations/schema';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { claimMessage, clockAhead, type Owner, type OwnerWrite, roomOfDestination } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { claimMs, deliverOne } from '../notifications/deliver-messages.ts';
import { holdAccount } from '../records/account-lock.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, refuseOthers } from './destination-record.ts';
import { readDelivery } from './read-deliveries.ts';

const minuteMs = 60_000;
/** Of an hour's mails so many are never sent by hand: news always has room for a summary. */
const placesForNews = 1;

/**
 * Sends a message without news at once, and answers with what came of it. The message is a row of the outbox like any other: where the
 * console is killed in between, another process sends it.
 */
export async function testDestination(
  deps: DestinationDeps,
  owner: Owner,
  id: string,
): Promise<DestinationDelivery> {
  const { store, channels, log } = deps;
  const ahead = await clockAhead(store.pool);
  const clock = () => deps.clock() + ahead;
  const message = await store.transact(owner, async (scope) => {
    const now = clock();
    // Before anything is held: nobody holds up the news of somebody else.
    await refuseOthers(scope, id);
    await holdAccount(scope);
    // Before the row: planning takes both in this order, too.
    const room = await roomOfDestination(scope.db, id, now);
    const { state, kind, per_hour: perHour } = await holdDestination(scope, id);
    if (state === 'off') throw switchedOff();
    if (kind === 'email') refuseFull({ perHour, room });
    await refuseFlood(scope, now);
    const added = await scope.db
      .insertInto('notice_messages')
      .values({
        ...{ owner_id: owner, destination_id: id, summary: false, test: true },
        ...{ created_at: now, due_at: now + claimMs },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await scope.db.insertInto('notice_sent_by_hand').values({ owner_id: owner, at: now }).execute();
    return added.id;
  });
  const claimed = await claimMessage(store.pool, message, clock() + claimMs);
  if (claimed) await deliverOne({ pool: store.pool, channels, log, clock }, claimed);
  return store.read(owner, (scope) => readDelivery(scope, id, message));
}

/**
 * Sends a message again that has ended, behind those that wait, and under its id: a receiver that had it can leave it out. Its earlier
 * answer stays until the next one.
 */
export async function sendAgain(
  { store, clock }: DestinationDeps,
  owner: Owner,
  id: string,
  deliveryId: string,
): Promise<DestinationDelivery> {
  return store.transact(owner, async (scope) => {
    const now = clock();
    await refuseOthers(scope, id);
    await holdAccount(scope);
    const room = await roomOfDestination(scope.db, id, now);
    const { state, kind, per_hour: perHour } = await holdDestination(scope, id);
    const delivery = await readDelivery(scope, id, deliveryId);
    if (delivery.test || delivery.text === null)
      throw new ProblemError('conflict', 'This message holds no news that could be sent again.', {
        recovery: 'Send a test to see whether the destination works.',
      });
    if (delivery.state === 'waiting')
      throw new ProblemError('conflict', 'This message is still on its way.', {
        recovery: 'Wait for its next try.',
      });
    if (state !== 'on') throw switchedOff();
    if (kind === 'email') {
      refuseFull({ perHour, room });
      // Its row counts once, whatever it was sent.
      if (delivery.state === 'sent' && (delivery.endedAt ?? 0) > now - notificationRules.hourMs)
        throw new ProblemError('conflict', 'This message was mailed within the last hour.', {
          recovery: 'Look into your mailbox, or wait an hour and send it again.',
        });
    }
    await refuseFlood(scope, now);
    // At PagerDuty `posted` says how far a round came, and this one is a new round.
    const posted = kind === 'pagerduty' ? sql`null` : sql`posted`;
    await sql`update notice_messages set state = 'waiting', due_at = ${now}, ended_at = null, attempts = 0, posted = ${posted},
      version = version + 1, number = default where id = ${deliveryId}`.execute(scope.db);
    await scope.db.insertInto('notice_sent_by_hand').values({ owner_id: owner, at: now }).execute();
    await notifyChange(scope.db, owner, 'destinations', id);
    return readDelivery(scope, id, deliveryId);
  });
}

/** A mailbox gets so many messages an hour, whoever sends them. */
function refuseFull({ perHour, room }: { perHour: number; room: number }): void {
  if (room > placesForNews) return;
  throw new ProblemError(
    'too_many',
    `Your address gets at most ${perHour} messages an hour, tests among them. The last place is kept for news.`,
    { retryAfterSeconds: notificationRules.hourMs / 1_000 },
  );
}

/** Whoever holds an account could otherwise knock at any address as often as the console answers requests. */
export async function refuseFlood({ owner, db }: OwnerWrite, now: number): Promise<void> {
  // Two that ask at once would count the same ones.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport by hand ${owner}`}, 0))`.execute(db);
  await db
    .deleteFrom('notice_sent_by_hand')
    .where('owner_id', '=', owner)
    .where('at', '<=', now - minuteMs)
    .execute();
  const times = await db
    .selectFrom('notice_sent_by_hand')
    .select('at')
    .where('owner_id', '=', owner)
    .orderBy('at', 'desc')
    .execute();
  const { byHandPerMinute } = destinationLimits;
  const oldest = times[byHandPerMinute - 1];
  if (oldest === undefined) return;
  throw new ProblemError(
    'too_many',
    `An account sends at most ${byHandPerMinute} tests and repeated messages a minute.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((oldest.at + minuteMs - now) / 1_000)) },
  );
}

const switchedOff = () =>
  new ProblemError('conflict', 'Nothing is sent to this destination now.', {
    recovery: 'Switch it on, or replace its target, and try again.',
  });
