import type { Weighed } from './weigh-news.ts';

/** One message to one destination: a piece of news, a summary of several, or a test. */
export type Outgoing = {
  /** The same for each try to send this message. */
  id: string;
  destination: { id: string; ownerId: string; sealed: Buffer | null };
  person: { name: string; address: string; verified: boolean };
  /** In the order of the events; at least one. A test has one that says so. */
  news: readonly [Weighed, ...Weighed[]];
  /** The messages of the same incident that were sent before, the oldest first. */
  earlier: readonly string[];
  /** What the channel called `posted` when it sent the first message of the incident; null where there is none to change. */
  firstPosted: string | null;
  /** What the channel called `posted` when a try of this message failed half way; null where it begins. */
  reached: string | null;
};

/**
 * The result of a try, with a sentence for the person. The sentence names no address of the operator's
 * network, and repeats no text of a destination that a person chose.
 */
export type Delivered =
  /** `posted`: what the channel needs to change this message when its incident is over. */
  | { outcome: 'sent'; answer: string; posted?: string }
  /** Another try may succeed; not before `retryAfterMs`, where the other end said so. `posted`: how far this one came. */
  | { outcome: 'failed'; answer: string; retryAfterMs?: number; posted?: string }
  /** Another try would be refused as well. */
  | { outcome: 'refused'; answer: string }
  /** Every other message to this destination would be refused as well. */
  | { outcome: 'broken'; answer: string }
  /** The message cannot be tried. */
  | { outcome: 'unsent'; answer: string };

/** The way to one kind of destination. It never throws. Each channel has a folder here and a line in `channels.ts`. */
export type Channel = {
  deliver(message: Outgoing): Promise<Delivered>;
  tries: Tries;
  /** The least time between two messages to one destination, where the service asks for it. */
  paceMs?: number;
};

export type Tries = {
  /** Milliseconds until each next try. After the last try the message is given up. */
  again: readonly number[];
  /** The share by which such a wait is shorter or longer, so that what failed together is not tried again together. */
  spread: number;
};
