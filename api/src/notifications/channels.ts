import type { DestinationKind } from '@homeport/contract/destinations/facts';
import type { Gate } from '@homeport/egress';
import type { Mailer } from '../mail/mailer.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email/email-channel.ts';
import { createWebhookChannel } from './webhook/webhook-channel.ts';

export type Channels = Readonly<Record<DestinationKind, Channel>>;

export type ChannelDeps = {
  /** Null if the console has no mail server. */
  mailer: Mailer | null;
  /** The console's address, which links lead to. */
  publicUrl: string;
  sealer: Sealer;
  /** The way to addresses that people choose. */
  gate: Gate;
  /** Epoch milliseconds. */
  clock: () => number;
};

export function createChannels({ mailer, publicUrl, sealer, gate, clock }: ChannelDeps): Channels {
  const { origin } = new URL(publicUrl);
  const http = { sealer, gate, origin, clock };
  return {
    email: createEmailChannel({ mailer, origin }),
    webhook: createWebhookChannel(http),
  };
}
