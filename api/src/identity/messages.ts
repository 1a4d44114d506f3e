import { invitationDays } from '@homeport/contract/limits';
import type { Message } from '../mail/message.ts';

type Person = { name: string; email: string };

export function verificationMessage({ name, email }: Person, link: string): Message {
  return {
    to: email,
    subject: 'Verify your e-mail address for Homeport',
    text: `Hello ${name},

open this link within an hour to confirm that this e-mail address is yours:

${link}

If you have no account there, ignore this message.
`,
  };
}

export function invitationMessage(from: string, email: string, link: string): Message {
  return {
    to: email,
    subject: 'An invitation to Homeport',
    text: `Hello,

${from} invites you to the Homeport console at ${new URL(link).host}. Open this link within ${invitationDays} days to make your account; it works once:

${link}

If you do not know who that is, ignore this message.
`,
  };
}

export function passwordResetMessage({ name, email }: Person, link: string): Message {
  return {
    to: email,
    subject: 'Set a new password for Homeport',
    text: `Hello ${name},

somebody asked for a new password for your account. Open this link within an hour to set one; it works once:

${link}

If it was not you, ignore this message: your password stays as it is.
`,
  };
}
