import type { Described } from './describe-news.ts';

/** One message to one person: a piece of news, or a summary of several. */
export type Outgoing = {
  /** The same each time that this message is tried. */
  id: string;
  person: { name: string; address: string; verified: boolean };
  /** In the order in which they happened; at least one. */
  news: readonly [Described, ...Described[]];
  /** The messages of the same incident that left before, oldest first. */
  earlier: readonly string[];
};

/** What became of a message, with a sentence for its person. It names no address of the operator's network. */
export type Delivered =
  | { outcome: 'sent'; answer: string }
  /** Worth another try. */
  | { outcome: 'failed'; answer: string }
  /** Another try would be refused as well. */
  | { outcome: 'refused'; answer: string }
  /** It cannot be tried. */
  | { outcome: 'unsent'; answer: string };

/** A way on which a person is told. It never throws. Each has a folder here and a line in `channels.ts`. */
export type Channel = { deliver(message: Outgoing): Promise<Delivered> };
