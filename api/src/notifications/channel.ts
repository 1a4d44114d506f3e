import type { Described } from './describe-news.ts';

/** One message to one person: a piece of news, or a summary of several. */
export type Outgoing = {
  /** The same for each try to send this message. */
  id: string;
  person: { name: string; address: string; verified: boolean };
  /** In the order of the events; at least one. */
  news: readonly [Described, ...Described[]];
  /** The messages of the same incident that were sent before, the oldest first. */
  earlier: readonly string[];
};

/**
 * The result of a try, with a sentence for the person. The sentence names no address of the operator's
 * network.
 */
export type Delivered =
  | { outcome: 'sent'; answer: string }
  /** Another try may succeed. */
  | { outcome: 'failed'; answer: string }
  /** Another try would be refused as well. */
  | { outcome: 'refused'; answer: string }
  /** The message cannot be tried. */
  | { outcome: 'unsent'; answer: string };

/** The way to one kind of destination. It never throws. Each channel has a folder here and a line in `channels.ts`. */
export type Channel = { deliver(message: Outgoing): Promise<Delivered> };
