import { testDatabase } from '@homeport/store/testing';
import { expect, it } from 'vitest';
import { startMailServer } from '../testing/mail-server.ts';
import { createMailer, type SmtpSettings } from './mailer.ts';
import { listOutbox } from './outbox.ts';

/** Names of an earlier console may hold characters that clear a terminal, set its title or turn the direction. */
const hidden = '\u009b2J\u001b]0;owned\u0007\u202egpj\u200b';
const shown = '\ufffd2J\ufffd]0;owned\ufffd\ufffdgpj\ufffd';
const message = {
  to: 'ada@example.com',
  subject: `Ada ${hidden}\nBcc: eve@example.com`,
  text: `Ada ${hidden} invites you to this console.\nOpen the link.`,
};

async function sendBy(smtp: SmtpSettings | null) {
  const database = await testDatabase();
  const announced: string[] = [];
  const announce = (text: string) => announced.push(text);
  const mailer = createMailer({ store: database.store, smtp, announce, clock: () => 1_000 });
  await mailer.send(message);
  mailer.close();
  return { database, announced };
}

it('shows no control character and no hidden mark of a name at the terminal, nor keeps one in the outbox', async () => {
  const { database, announced } = await sendBy(null);
  await using _ = database;
  const subject = `Ada ${shown} Bcc: eve@example.com`;
  const text = `Ada ${shown} invites you to this console.\nOpen the link.`;
  expect(announced).toEqual([`Message for ada@example.com: ${subject}\n\n${text}`]);
  expect(await listOutbox(database.store)).toMatchObject([{ subject, text }]);
});

it('mails no control character and no hidden mark of a name', async () => {
  const server = await startMailServer();
  const { database } = await sendBy({ url: server.url, from: 'Homeport <console@example.com>' });
  await using _ = database;
  await server.close();
  const [mail] = server.mails;
  // The characters as quoted-printable writes their UTF-8 (RFC 2045, 6.7).
  const written = (text: string) =>
    [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  expect(mail?.text).toContain(`Ada ${written('\ufffd')}2J${written('\ufffd')}]0;owned`);
  for (const character of ['\u009b', '\u001b', '\u0007', '\u202e', '\u200b'])
    expect(mail?.text).not.toContain(written(character));
  expect(mail?.to).toEqual(['ada@example.com']);
});
