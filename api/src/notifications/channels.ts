import type { DestinationKind } from '@homeport/contract/destinations/facts';
import type { Gate } from '@homeport/egress';
import type { Mailer } from '../mail/mailer.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Channel } from './channel.ts';
import { createDiscordChannel } from './discord/discord-channel.ts';
import { createEmailChannel } from './email/email-channel.ts';
import { createGotifyChannel } from './gotify/gotify-channel.ts';
import { type ServiceAddress, serviceAddress } from './http/http-channel.ts';
import { createMatrixChannel } from './matrix/matrix-channel.ts';
import { createNtfyChannel } from './ntfy/ntfy-channel.ts';
import { createPagerdutyChannel } from './pagerduty/pagerduty-channel.ts';
import { createPushoverChannel } from './pushover/pushover-channel.ts';
import { createSlackChannel } from './slack/slack-channel.ts';
import { createTeamsChannel } from './teams/teams-channel.ts';
import { createTelegramChannel } from './telegram/telegram-channel.ts';
import type { ReadPushKeys } from './web-push/push-keys.ts';
import { createWebPushChannel } from './web-push/web-push-channel.ts';
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
  /** The way to push services, which are on public addresses alone. */
  publicGate: Gate;
  pushKeys: ReadPushKeys;
  /** By default the services themselves. */
  addressOf?: ServiceAddress | undefined;
  /** Epoch milliseconds. */
  clock: () => number;
};

export function createChannels({
  mailer,
  publicUrl,
  sealer,
  gate,
  publicGate,
  pushKeys,
  addressOf = serviceAddress,
  clock,
}: ChannelDeps): Channels {
  const { origin } = new URL(publicUrl);
  const http = { sealer, gate, addressOf, origin, clock };
  return {
    email: createEmailChannel({ mailer, origin }),
    webhook: createWebhookChannel(http),
    slack: createSlackChannel(http),
    discord: createDiscordChannel(http),
    ntfy: createNtfyChannel(http),
    telegram: createTelegramChannel(http),
    gotify: createGotifyChannel(http),
    pushover: createPushoverChannel(http),
    teams: createTeamsChannel(http),
    matrix: createMatrixChannel(http),
    pagerduty: createPagerdutyChannel(http),
    'web-push': createWebPushChannel({ ...{ sealer, origin, clock, pushKeys }, gate: publicGate }),
  };
}
