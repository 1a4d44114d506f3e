import { withoutHidden } from '@homeport/contract/fields/shown-text';
import { readRestoration, type Store } from '@homeport/store';
import type { Message } from './message.ts';
import { keepInOutbox } from './outbox.ts';

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server wants them. */
  url: string;
  /** The sender, such as `Homeport <console@example.com>`. */
  from: string;
};

export type Mailer = {
  /**
   * Resolves with the answer of the mail server, or of the outbox, that took the message. Throws if the
   * message was not taken.
   */
  send(message: Message): Promise<string>;
  close(): void;
};

/**
 * How long a mail server may stay silent, in milliseconds. Scanning a message can take a mail server a
 * minute.
 */
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
  const transport = openTransport(smtp);
  const host = hostOf(smtp.from);
  return {
    async send(written) {
      // The console that was backed up may still run, and mail the same person.
      if (await readRestoration(store.pool)) {
        await keepInOutbox(store, legible(written), clock());
        return 'Kept in the outbox, because this console was restored and its owner has not confirmed it.';
      }
      const { to, subject, text, thread } = legible(written);
      // An address in an object stays one address, whatever characters are in it.
      const sent = await (await transport).sendMail({
        ...{ to: { name: '', address: to }, subject, text },
        ...(thread && threadHeaders(thread, host)),
      });
      return sent.response;
    },
    close: () => void transport.then((opened) => opened.close()),
  };
}

/** A console without a mail server does not read the library. */
async function openTransport({ url, from }: SmtpSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...patience }, { from });
}

/**
 * Mail programs show a thread by these identifiers (RFC 5322, 3.6.4). `Auto-Submitted` keeps programs from
 * answering (RFC 3834, 5).
 */
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

/** The host in the sender's address. The console's identifiers are unique at that host. */
function hostOf(from: string): string {
  const [host = ''] = from.slice(from.lastIndexOf('@') + 1).split('>');
  return /^[A-Za-z0-9.-]+$/.test(host) ? host : 'homeport.invalid';
}

/** People choose the names in a message, and older names may hold control characters. */
function legible({ subject, text, ...rest }: Message): Message {
  return { ...rest, subject: withoutHidden(subject).replaceAll('\n', ' '), text: withoutHidden(text) };
}
