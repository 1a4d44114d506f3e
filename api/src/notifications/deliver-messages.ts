import { destinationLimits } from '@homeport/contract/destinations/facts';
import { noticeEventSchema } from '@homeport/contract/notifications/events';
import {
  type ClaimedMessage,
  claimMessages,
  keepMessage,
  type MessageOutcome,
  renewClaim,
} from '@homeport/store';
import type pg from 'pg';
import type { Delivered, Outgoing, Tries } from './channel.ts';
import type { Channels } from './channels.ts';
import { testNews, weighNews } from './weigh-news.ts';

export type DeliverDeps = {
  pool: pg.Pool;
  channels: Channels;
  log: { error(details: object, message: string): void };
  /** Epoch milliseconds. Claims compare it with the store's, see `clockAhead`. */
  clock: () => number;
};

/**
 * A claim lasts this long. A living process renews its claims; after a process dies, another takes its
 * messages over.
 */
export const claimMs = 60_000;
const renewEveryMs = 20_000;

/** The messages that this process has on their way, each with its owner. A slow destination holds its own place and no other. */
export type UnderWay = Map<Promise<void>, string>;

/** Claims due messages that no other process has and starts to send them. Returns how many. */
export async function startDue(deps: DeliverDeps, underWay: UnderWay): Promise<number> {
  const room = destinationLimits.underWay - underWay.size;
  if (room <= 0) return 0;
  const now = deps.clock();
  const held: Record<string, number> = {};
  for (const owner of underWay.values()) held[owner] = (held[owner] ?? 0) + 1;
  const claimed = await claimMessages(deps.pool, {
    ...{ now, endsAt: now + claimMs, atMost: room },
    ...{ ofOwner: destinationLimits.underWayOfOwner, underWay: held },
  });
  for (const message of claimed) {
    const sending: Promise<void> = deliverOne(deps, message)
      // The claim ends by time, and somebody tries the message again.
      .catch((error: unknown) => deps.log.error({ err: error }, 'what became of a message could not be kept'))
      .finally(() => underWay.delete(sending));
    underWay.set(sending, message.owner);
  }
  return claimed.length;
}

/** Sends a claimed message and keeps what became of it. */
export async function deliverOne(deps: DeliverDeps, message: ClaimedMessage): Promise<void> {
  const { pool, clock, log } = deps;
  const renewal = setInterval(() => {
    renewClaim(pool, message, clock() + claimMs).catch((error: unknown) =>
      log.error({ err: error }, 'the claim of a message could not be renewed'),
    );
  }, renewEveryMs);
  try {
    const channel = deps.channels[message.destination.kind];
    const delivered = await deliver(deps, message);
    const outcome = outcomeOf(delivered, message, channel.tries, clock());
    await keepMessage(pool, message, outcome, clock(), channel.paceMs);
  } finally {
    clearInterval(renewal);
  }
}

async function deliver({ channels, clock }: DeliverDeps, message: ClaimedMessage): Promise<Delivered> {
  const { id, destination, owner, sealed, person, earlier, firstPosted, reached, test } = message;
  const [first, ...others] = test ? [testNews(destination.id, clock())] : readNews(message, clock());
  if (!first && message.repeat)
    return { outcome: 'unsent', answer: 'It was not repeated: it was over or acknowledged by then.' };
  if (!first)
    return { outcome: 'unsent', answer: 'The message was not sent, because its news can no longer be read.' };
  const outgoing: Outgoing = {
    ...{ id, person, earlier, firstPosted, reached, news: [first, ...others] },
    destination: { id: destination.id, ownerId: owner, sealed },
  };
  return channels[destination.kind].deliver(outgoing);
}

const readNews = ({ notices, repeat }: ClaimedMessage, now: number) =>
  notices.flatMap(({ facts, thread, at }) => {
    const event = noticeEventSchema.safeParse(facts);
    return event.success ? [weighNews(event.data, { thread, at, repeatedAt: repeat ? now : null })] : [];
  });

function outcomeOf(
  delivered: Delivered,
  { attempts, test }: ClaimedMessage,
  { again, spread }: Tries,
  now: number,
): MessageOutcome {
  const { outcome, answer } = delivered;
  if (outcome !== 'sent' && outcome !== 'failed') return { state: outcome, answer };
  const posted = delivered.posted === undefined ? {} : { posted: delivered.posted };
  if (outcome === 'sent') return { state: 'sent', answer, ...posted };
  const wait = again[attempts - 1];
  // Whoever asked for a test has the answer, and asks again.
  if (wait === undefined || test) return { state: 'refused', answer };
  // Matrix and Telegram may name a fraction, and moments of the store are whole milliseconds.
  const earliest = Math.ceil(delivered.retryAfterMs ?? 0);
  const spreadWait = Math.round(wait * (1 + spread * (2 * Math.random() - 1)));
  return { state: 'waiting', answer, dueAt: now + Math.max(spreadWait, earliest), ...posted };
}
