import type { Store } from '@homeport/store';
import type { Channels } from '../notifications/channels.ts';
import type { AskBot } from '../notifications/telegram/bot.ts';
import type { Sealer } from '../sealing/sealer.ts';

export type DestinationDeps = {
  store: Store;
  sealer: Sealer;
  channels: Channels;
  askBot: AskBot;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Destinations that one person may add. */
  most: number;
  mailConfigured: boolean;
  log: { error(details: object, message: string): void };
};
