import type { Store } from '@homeport/store';
import type { Seats } from '../http/seats.ts';
import type { Channels } from '../notifications/channels.ts';
import type { AskBot } from '../notifications/telegram/bot.ts';
import type { Sealer } from '../sealing/sealer.ts';

export type DestinationDeps = {
  store: Store;
  sealer: Sealer;
  channels: Channels;
  askBot: AskBot;
  /** Of a person’s looks for a chat. */
  chatLooks: Seats;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Destinations that one person may add. */
  most: number;
  mailConfigured: boolean;
  log: { error(details: object, message: string): void };
};
