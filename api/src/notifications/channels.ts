import type { DestinationKind } from '@homeport/contract/notifications/kinds';
import type { Mailer } from '../mail/mailer.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email/email-channel.ts';

export type Channels = Readonly<Record<DestinationKind, Channel>>;

/**
 * @param mailer null if the console has no mail server
 * @param publicUrl the console's address, which links lead to
 */
export function createChannels(mailer: Mailer | null, publicUrl: string): Channels {
  return { email: createEmailChannel({ mailer, origin: new URL(publicUrl).origin }) };
}
