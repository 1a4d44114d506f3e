import { noticeEventSchema } from '@homeport/contract/notifications/events';
import {
  type ClaimedMessage,
  claimMessages,
  keepMessage,
  type MessageOutcome,
  renewClaim,
} from '@homeport/store';
import type pg from 'pg';
import type { Delivered } from './channel.ts';
import type { Channels } from './channels.ts';
import { describeNews } from './describe-news.ts';

export type DeliverDeps = {
  pool: pg.Pool;
  channels: Channels;
  log: { error(details: object, message: string): void };
  /** Epoch milliseconds. */
  clock: () => number;
};

/**
 * A claim lasts this long. A living process renews its claims; after a process dies, another takes its
 * messages over.
 */
export const claimMs = 60_000;
const renewEveryMs = 20_000;
const atOnce = 10;
/** Minutes until each next try. After the last try the message is given up. */
const tryAgainAfter = [1, 5, 15, 30, 60, 60, 60, 60];

/** Sends the due messages that no other process has claimed, and returns how many there were. */
export async function deliverMessages(deps: DeliverDeps): Promise<number> {
  const now = deps.clock();
  const claimed = await claimMessages(deps.pool, { now, endsAt: now + claimMs, atMost: atOnce });
  await Promise.all(claimed.map((message) => deliverOne(deps, message)));
  return claimed.length;
}

async function deliverOne(deps: DeliverDeps, message: ClaimedMessage): Promise<void> {
  const { pool, clock, log } = deps;
  const renewal = setInterval(() => {
    renewClaim(pool, message, clock() + claimMs).catch((error: unknown) =>
      log.error({ err: error }, 'the claim of a message could not be renewed'),
    );
  }, renewEveryMs);
  try {
    const delivered = await deliver(deps, message);
    await keepMessage(pool, message, outcomeOf(delivered, message.attempts, clock()), clock());
  } finally {
    clearInterval(renewal);
  }
}

async function deliver({ channels }: DeliverDeps, message: ClaimedMessage): Promise<Delivered> {
  const { id, destination, person, earlier, notices } = message;
  const [first, ...others] = notices.flatMap(({ facts }) => {
    const event = noticeEventSchema.safeParse(facts);
    return event.success ? [describeNews(event.data)] : [];
  });
  if (!first)
    return { outcome: 'unsent', answer: 'The message was not sent, because its news can no longer be read.' };
  return channels[destination.kind].deliver({ id, person, earlier, news: [first, ...others] });
}

function outcomeOf({ outcome, answer }: Delivered, attempts: number, now: number): MessageOutcome {
  if (outcome !== 'failed') return { state: outcome, answer };
  const minutes = tryAgainAfter[attempts - 1];
  if (minutes === undefined) return { state: 'refused', answer };
  return { state: 'waiting', answer, dueAt: now + minutes * 60_000 };
}
