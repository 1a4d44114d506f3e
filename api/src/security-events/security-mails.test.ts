import { securityMailsPerHour } from '@homeport/contract/account/facts';
import { testDatabase } from '@homeport/store/testing';
import { expect, it } from 'vitest';
import type { Message } from '../mail/message.ts';
import { noteSecurityEvent } from './note-event.ts';
import { sendSecurityMails } from './send-mails.ts';

const at = Date.UTC(2026, 10, 1, 12);

async function open({ verified = true } = {}) {
  const database = await testDatabase();
  const { store } = database;
  const { id: owner } = await store.db
    .insertInto('auth.user')
    .values({
      id: crypto.randomUUID(),
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: verified,
      image: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sent: Message[] = [];
  const errors: unknown[] = [];
  const state = { now: at, fails: false };
  const deps = {
    store,
    clock: () => state.now,
    publicUrl: 'https://console.example',
    log: { error: (error: unknown) => errors.push(error) },
    mailer: {
      async send(message: Message) {
        if (state.fails) throw new Error('The mail server is away.');
        sent.push(message);
        return 'taken';
      },
    },
  };
  const from = { address: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0' };
  const note = (
    kind: 'token_made' | 'signed_in' | 'email_changed' | 'destination_added',
    more: { mailTo?: string } = {},
  ) => noteSecurityEvent(store.db, { owner, kind, subject: 'backup', from, at: state.now, ...more });
  const send = () => sendSecurityMails(deps);
  return { note, send, sent, state, errors, [Symbol.asyncDispose]: () => database.close() };
}

it('a change that makes a way in is mailed once, with what to do', async () => {
  await using console = await open();
  await console.note('token_made');
  await console.note('signed_in');
  await Promise.all([console.send(), console.send()]);
  await console.send();
  expect(console.sent).toEqual([
    {
      to: 'ada@example.com',
      subject: 'Homeport: An API token was made for your account',
      text: expect.stringMatching(
        /made for your account: backup\..*console\.example.*2026-11-01 12:00 UTC.*Firefox on Linux, 192\.0\.2\.7.*If it was not you.*Forgot password/s,
      ),
    },
  ]);
});

it('a destination of news is mailed with how to end it', async () => {
  await using console = await open();
  await console.note('destination_added');
  await console.send();
  expect(console.sent).toMatchObject([
    {
      subject: 'Homeport: A destination was added that gets the news of your account',
      text: expect.stringContaining('every destination of your news that was added'),
    },
  ]);
});

it('an hour has a bounded number of messages, and the last one says so', async () => {
  await using console = await open();
  for (let made = 0; made < securityMailsPerHour + 3; made += 1) await console.note('token_made');
  await console.send();
  expect(console.sent).toHaveLength(securityMailsPerHour);
  expect(console.sent.map(({ text }) => text.includes('only listed'))).toEqual([
    ...Array<boolean>(securityMailsPerHour - 1).fill(false),
    true,
  ]);
  // Another kind is not kept back by them.
  await console.note('destination_added');
  await console.send();
  expect(console.sent).toHaveLength(securityMailsPerHour + 1);
  console.state.now += 60 * 60_000 + 1;
  await console.note('token_made');
  await console.send();
  expect(console.sent).toHaveLength(securityMailsPerHour + 2);
});

it('a message that the mail server did not take is sent later', async () => {
  await using console = await open();
  await console.note('token_made');
  console.state.fails = true;
  await console.send();
  console.state.fails = false;
  await console.send();
  expect([console.sent.length, console.errors.length]).toEqual([0, 1]);
  console.state.now += 5 * 60_000;
  await console.send();
  expect(console.sent).toHaveLength(1);
});

it('an address that was never verified hears nothing, and an earlier address hears that it was changed', async () => {
  await using console = await open({ verified: false });
  await console.note('token_made');
  await console.note('email_changed', { mailTo: 'earlier@example.com' });
  await console.send();
  expect(console.sent.map(({ to }) => to)).toEqual(['earlier@example.com']);
});
