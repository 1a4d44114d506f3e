import { withoutHidden } from '@homeport/contract/fields/shown-text';
import type { Store } from '@homeport/store';
import nodemailer from 'nodemailer';
import type { Message } from './message.ts';
import { keepInOutbox } from './outbox.ts';

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  /** The sender, such as `Homeport <console@example.com>`. */
  from: string;
};

export type Mailer = {
  /** Resolves once the mail server, or the outbox, has taken the message; throws what the server said otherwise. */
  send(message: Message): Promise<void>;
  close(): void;
};

type Options = {
  store: Store;
  smtp: SmtpSettings | null;
  /** Shows a text to the person at the terminal. */
  announce: (text: string) => void;
  clock: () => number;
};

export function createMailer({ store, smtp, announce, clock }: Options): Mailer {
  if (!smtp) {
    return {
      async send(written) {
        const message = legible(written);
        await keepInOutbox(store, message, clock());
        announce(`Message for ${message.to}: ${message.subject}\n\n${message.text}`);
      },
      close() {},
    };
  }
  const transport = nodemailer.createTransport(smtp.url, { from: smtp.from });
  return {
    async send(written) {
      const { to, subject, text } = legible(written);
      // As an object the address is one address, whatever characters are in it.
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}

/** Names in a message are somebody's, and older ones were taken with control characters. */
function legible({ to, subject, text }: Message): Message {
  return { to, subject: withoutHidden(subject).replaceAll('\n', ' '), text: withoutHidden(text) };
}
