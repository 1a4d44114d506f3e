import type { Message } from '../../mail/message.ts';

type Person = { name: string; email: string };

export function confirmPresentAddressMessage({ name, email }: Person, next: string, link: string): Message {
  return {
    to: email,
    subject: 'Confirm a new e-mail address for Homeport',
    text: `Hello ${name},

somebody who knows your password asked to change the e-mail address of your account to ${next}. Open this link within an hour to agree; the new address is asked next:

${link}

If it was not you, do not open the link. Change your password: your e-mail address stays as it is.
`,
  };
}

export function confirmNewAddressMessage({ name, email }: Person, link: string): Message {
  return {
    to: email,
    subject: 'Confirm your new e-mail address for Homeport',
    text: `Hello ${name},

open this link within an hour to make this the e-mail address of your account:

${link}

If you have no account there, ignore this message.
`,
  };
}

/** For an address that has an account. Only its mailbox learns that. */
export function addressTakenMessage(email: string, host: string): Message {
  return {
    to: email,
    subject: 'Your e-mail address at Homeport',
    text: `Hello,

somebody asked to use this e-mail address for another account of the Homeport console at ${host}. The address has an account there already, so nothing changes.
`,
  };
}
