import { withoutHidden } from '@homeport/contract/shown-text';
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
  /** Resolves with what the mail server said once it, or the outbox, has taken the message; throws otherwise. */
  send(message: Message): Promise<string>;
  close(): void;
};

/** How long a mail server may say nothing, in milliseconds; scanning a message can take it a minute. */
const patience = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 120_000 };

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
        return 'Kept in the outbox.';
      },
      close() {},
    };
  }
  const transport = nodemailer.createTransport({ url: smtp.url, ...patience }, { from: smtp.from });
  const host = hostOf(smtp.from);
  return {
    async send(written) {
      const { to, subject, text, thread } = legible(written);
      // As an object the address is one address, whatever characters are in it.
      const sent = await transport.sendMail({
        ...{ to: { name: '', address: to }, subject, text },
        ...(thread && threadHeaders(thread, host)),
      });
      return sent.response;
    },
    close: () => transport.close(),
  };
}

/** RFC 5322, 3.6.4: the identifiers by which mail programs show a thread. RFC 3834, 5: nothing answers it by itself. */
function threadHeaders({ id, earlier }: NonNullable<Message['thread']>, host: string) {
  const identifier = (word: string) => `<${word}@${host}>`;
  const [root, previous] = [earlier[0], earlier.at(-1)];
  const references = [...new Set([root, previous])].flatMap((word) => word ?? []).map(identifier);
  return {
    messageId: identifier(id),
    ...(previous === undefined ? {} : { inReplyTo: identifier(previous), references }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The part of the sender's address that names a host: identifiers of ours are unique there. */
function hostOf(from: string): string {
  const [host = ''] = from.slice(from.lastIndexOf('@') + 1).split('>');
  return /^[A-Za-z0-9.-]+$/.test(host) ? host : 'homeport.invalid';
}

/** Names in a message are somebody's, and older ones were taken with control characters. */
function legible({ subject, text, ...rest }: Message): Message {
  return { ...rest, subject: withoutHidden(subject).replaceAll('\n', ' '), text: withoutHidden(text) };
}
