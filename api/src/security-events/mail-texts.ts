import type { SecurityEventKind } from '@homeport/contract/account/facts';
import { securityMailsPerHour } from '@homeport/contract/account/facts';
import type { Message } from '../mail/message.ts';
import { deviceInWords } from './device-in-words.ts';

/**
 * The events that the console mails to their person, each as a sentence without its end. They make or end a way into the account, or
 * a way out for its news, or show that
 * somebody used one from a browser that never did. The other events are only listed.
 */
export const mailedEvents = {
  new_browser_signed_in: 'Your account was signed in to from a new browser',
  password_changed: 'The password of your account was changed',
  password_reset: 'A new password was set for your account with a mailed link',
  password_reset_by_operator:
    'A new password was set for your account with a link that was made on the console’s machine',
  email_changed: 'The e-mail address of your account was changed',
  ways_ended: 'Your e-mail address was verified, and older ways into the account ended',
  second_step_on: 'The second step of signing in was turned on',
  second_step_off: 'The second step of signing in was turned off',
  recovery_codes_made: 'New recovery codes were made; the earlier ones ended',
  passkey_added: 'A passkey was added to your account',
  token_made: 'An API token was made for your account',
  terminal_signed_in: 'A terminal was signed in to your account',
  console_backup_fetched: 'A backup of the console was downloaded',
  console_backups_changed: 'Backups of the console are encrypted for another key, or for none',
  server_moved: 'The address of a server was changed',
  commands_allowed: 'One-off commands and terminals in the apps of a server were allowed',
  shell_allowed: 'Terminals on a server itself were allowed',
  account_linked: 'An account of another service was linked to your account',
  destination_added: 'A destination was added that gets the news of your account',
  destination_changed: 'The address or secret of a destination of your news was replaced',
} as const satisfies Partial<Record<SecurityEventKind, string>>;

export type MailedEvent = keyof typeof mailedEvents;
export const isMailed = (kind: string): kind is MailedEvent => Object.hasOwn(mailedEvents, kind);

export type SecurityMail = {
  kind: MailedEvent;
  subject: string | null;
  recipient: string;
  name: string;
  address: string | null;
  user_agent: string | null;
  at: number;
  is_last: boolean;
};

export function securityMessage(mail: SecurityMail, publicUrl: string): Message {
  const { origin, host } = new URL(publicUrl);
  const sentence = mailedEvents[mail.kind];
  const about = mail.subject === null ? '' : `: ${mail.subject}`;
  const from = [deviceInWords(mail.user_agent), mail.address].filter((each) => each !== null).join(', ');
  const last = mail.is_last
    ? `\nThis is message ${securityMailsPerHour} of this kind within an hour. Further changes are only listed on your profile: ${origin}/profile\n`
    : '';
  return {
    to: mail.recipient,
    subject: `Homeport: ${sentence}`,
    text: `Hello ${mail.name},

${sentence}${about}.

Console: ${host}
When: ${new Date(mail.at).toISOString().replace('T', ' ').slice(0, 16)} UTC
From: ${from}

If it was you, there is nothing to do.
If it was not you, open ${origin}/login, choose “Forgot password?” and set a new password with the link that you get. This ends every sign-in, every API token, every passkey, the link to GitHub and every destination of your news that was added. If the link no longer comes to you, ask the operator of the console.
${last}`,
  };
}
