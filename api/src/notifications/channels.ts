import type { NotificationChannel } from '@homeport/contract/notifications/kinds';
import type { Mailer } from '../mail/mailer.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email/email-channel.ts';

export type Channels = Readonly<Record<NotificationChannel, Channel>>;

/** What the channels need. `mailer`: null where the console has no mail server. `origin`: the console's, for links. */
export type ChannelDeps = { mailer: Mailer | null; origin: string };

export function createChannels(deps: ChannelDeps): Channels {
  return { email: createEmailChannel(deps) };
}
