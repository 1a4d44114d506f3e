import type { Profile, Session } from '@homeport/contract/identity/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bodyOf,
  password,
  startTestApi,
  type TestApi,
  type TestPerson,
  type TestVisitor,
} from '../../http/testing.ts';
import { startMailServer } from '../../testing/mail-server.ts';
import { attemptRules } from '../waiting/attempts.ts';

let api: TestApi;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' }, { clock: () => now });
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** What the console mailed to this address, newest first. The messages of a console without a mail server are announced. */
const mailsTo = (email: string) =>
  api.announced.filter((text) => text.startsWith(`Message for ${email}:`)).reverse();
const tokenFor = (email: string) =>
  /\/confirm-email#token=([\w-]{43})/.exec(mailsTo(email)[0] ?? '')?.[1] ?? '';

const begin = (person: TestVisitor, email: string, typed = password) =>
  person.call('PUT /api/profile/email-change', { email, password: typed });
/** Whoever opens the link needs no session. */
const confirm = (token: string) => api.visitor().call('POST /api/auth/confirm-email-change', { token });
const pendingOf = async (person: TestVisitor) =>
  bodyOf<Profile>(await person.call('GET /api/profile'), 200).emailChange;
const addressOf = async (person: TestVisitor) =>
  bodyOf<Session>(await person.call('GET /api/session'), 200).user;
const signIn = (email: string) => api.visitor().call('POST /api/auth/sign-in/email', { email, password });
const eventsOf = async (person: TestVisitor) =>
  bodyOf<{ kind: string; subject: string | null }[]>(await person.call('GET /api/security-events'), 200).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );

const over = {
  status: 404,
  body: { message: 'This link no longer works. Your e-mail address stays as it is.' },
};

let people = 0;
async function newPerson(): Promise<{ ines: TestPerson; next: string }> {
  people += 1;
  const ines = await api.signUp(`ines-${people}`);
  // The message that verifies the address goes out behind the answer. It would come among those of the test.
  await expect.poll(() => mailsTo(ines.email)).toHaveLength(1);
  return { ines, next: `next-${people}@example.com` };
}

describe('a change of the e-mail address', () => {
  it('is made when the present address has confirmed it, and then the new one', async () => {
    const { ines, next } = await newPerson();
    const begun = bodyOf(await begin(ines, next.toUpperCase()), 200);
    expect(begun).toEqual({ email: next, waitsFor: 'present', expiresAt: now + 3_600_000 });
    expect(await pendingOf(ines)).toEqual(begun);
    expect(mailsTo(next)).toEqual([]);
    const first = tokenFor(ines.email);
    expect(bodyOf(await confirm(first), 200)).toEqual({ changed: false });
    expect(await pendingOf(ines)).toMatchObject({ email: next, waitsFor: 'new' });
    expect(await addressOf(ines)).toMatchObject({ email: ines.email });
    expect(await confirm(first)).toMatchObject(over);

    const second = tokenFor(next);
    expect(bodyOf(await confirm(second), 200)).toEqual({ changed: true });
    expect(await addressOf(ines)).toMatchObject({ email: next, emailVerified: true });
    expect(await pendingOf(ines)).toBeNull();
    expect(await confirm(second)).toMatchObject(over);
    expect(await signIn(next)).toMatchObject({ status: 200 });
    expect(await signIn(ines.email)).toMatchObject({ status: 401 });
    const events = await eventsOf(ines);
    expect(events).toContain(`email_change_begun ${next}`);
    expect(events).toContain(`email_changed ${next}`);
  });

  it('needs the password, and an address that is another one', async () => {
    const { ines, next } = await newPerson();
    expect(await begin(ines, next, 'not the right one')).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    });
    expect(await begin(ines, ines.email.toUpperCase())).toMatchObject({
      status: 400,
      body: { fields: { email: 'This is your address already.' } },
    });
    expect(mailsTo(ines.email).filter((text) => text.includes('confirm-email'))).toEqual([]);
    expect(await pendingOf(ines)).toBeNull();
  });

  it('is refused after many tries, so that nobody guesses the password or fills a mailbox', async () => {
    const { ines, next } = await newPerson();
    const answers: number[] = [];
    for (let tries = 0; tries < 11; tries += 1)
      answers.push((await begin(ines, next, 'not the right one')).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    expect(await begin(ines, next)).toMatchObject({ status: 429 });
  });

  it('sends a person few messages, however often a change is begun', async () => {
    const { ines, next } = await newPerson();
    const most = attemptRules['email-change'].free;
    const answers: number[] = [];
    for (let tries = 0; tries < most + 2; tries += 1)
      answers.push((await begin(ines, `${tries}-${next}`)).status);
    expect(answers).toEqual([...Array<number>(most).fill(200), 429, 429]);
    expect(mailsTo(ines.email).filter((text) => text.includes('confirm-email'))).toHaveLength(most);
    // The change that was begun last goes on.
    expect(await pendingOf(ines)).toMatchObject({ email: `${most - 1}-${next}` });
    expect(bodyOf(await confirm(tokenFor(ines.email)), 200)).toEqual({ changed: false });
    now += 61_000;
    expect((await begin(ines, next)).status).toBe(200);
  });

  it.each(['with an account', 'without one'])(
    'fills nobody’s mailbox from however many accounts: an address %s gets few messages',
    async (kind) => {
      const { ines: victim, next } = await newPerson();
      const address = kind === 'with an account' ? victim.email : next;
      const before = mailsTo(address).length;
      const most = attemptRules['email-change-to'].free;
      const answers: number[] = [];
      const accounts = [(await newPerson()).ines, (await newPerson()).ines];
      let last: TestPerson = victim;
      for (let number = 0; number < most + 2; number += 1) {
        last = accounts[number % 2] ?? victim;
        bodyOf(await begin(last, address), 200);
        answers.push((await confirm(tokenFor(last.email))).status);
      }
      expect(answers).toEqual([...Array<number>(most).fill(200), 429, 429]);
      expect(mailsTo(address)).toHaveLength(before + most);
      // The link of the present address works later.
      expect(await pendingOf(last)).toMatchObject({ waitsFor: 'present' });
      now += 61_000;
      expect(bodyOf(await confirm(tokenFor(last.email)), 200)).toEqual({ changed: false });
      expect(mailsTo(address)).toHaveLength(before + most + 1);
    },
  );

  it('does not tell that another account has the address, except to that address', async () => {
    const { ines } = await newPerson();
    const { ines: eve } = await newPerson();
    const answer = bodyOf(await begin(ines, eve.email), 200);
    expect(answer).toEqual({ email: eve.email, waitsFor: 'present', expiresAt: now + 3_600_000 });
    expect(bodyOf(await confirm(tokenFor(ines.email)), 200)).toEqual({ changed: false });
    expect(await pendingOf(ines)).toMatchObject({ email: eve.email, waitsFor: 'new' });
    const [told = ''] = mailsTo(eve.email);
    expect(told).toContain('The address has an account there already, so nothing changes.');
    expect(told).not.toMatch(new RegExp(`token|${ines.email}`));
    expect(await addressOf(eve)).toMatchObject({ email: eve.email });
  });

  it('is not made when somebody takes the address meanwhile', async () => {
    const { ines } = await newPerson();
    const taken = 'taken-meanwhile@example.com';
    bodyOf(await begin(ines, taken), 200);
    bodyOf(await confirm(tokenFor(ines.email)), 200);
    const token = tokenFor(taken);
    expect((await api.signUp('taken-meanwhile')).email).toBe(taken);
    expect(await confirm(token)).toMatchObject(over);
    expect(await addressOf(ines)).toMatchObject({ email: ines.email });
  });

  it('ends an hour after each message', async () => {
    const { ines, next } = await newPerson();
    bodyOf(await begin(ines, next), 200);
    now += 3_599_000;
    bodyOf(await confirm(tokenFor(ines.email)), 200);
    now += 3_601_000;
    expect(await pendingOf(ines)).toBeNull();
    expect(await confirm(tokenFor(next))).toMatchObject(over);
  });

  it('ends when its person cancels it, or begins another one', async () => {
    const { ines, next } = await newPerson();
    bodyOf(await begin(ines, next), 200);
    const first = tokenFor(ines.email);
    bodyOf(await begin(ines, `other-${next}`), 200);
    expect(await confirm(first)).toMatchObject(over);
    bodyOf(await confirm(tokenFor(ines.email)), 200);
    const second = tokenFor(`other-${next}`);
    expect(bodyOf(await ines.call('DELETE /api/profile/email-change'), 200)).toEqual({ cancelled: true });
    expect(await pendingOf(ines)).toBeNull();
    expect(await confirm(second)).toMatchObject(over);
    expect(await addressOf(ines)).toMatchObject({ email: ines.email });
  });

  it('ends links that set a password, which the earlier address was mailed', async () => {
    const { ines, next } = await newPerson();
    bodyOf(await api.visitor().call('POST /api/auth/request-password-reset', { email: ines.email }), 200);
    await expect.poll(() => mailsTo(ines.email)[0]).toContain('/reset-password#token=');
    const reset = /reset-password#token=(\S+)/.exec(mailsTo(ines.email)[0] ?? '')?.[1] ?? '';
    bodyOf(await begin(ines, next), 200);
    bodyOf(await confirm(tokenFor(ines.email)), 200);
    bodyOf(await confirm(tokenFor(next)), 200);
    const set = await api
      .visitor()
      .call('POST /api/auth/reset-password', { token: reset, newPassword: password });
    expect(set.status).toBe(400);
  });

  it('keeps no token in the store', async () => {
    const { ines, next } = await newPerson();
    bodyOf(await begin(ines, next), 200);
    const kept = await api.store.db
      .selectFrom('email_changes')
      .selectAll()
      .where('owner_id', '=', ines.userId)
      .execute();
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(tokenFor(ines.email));
  });
});

it('a change whose message the mail server refuses is not under way', async () => {
  const mail = await startMailServer(() => ({ code: 451, text: 'try later' }));
  try {
    await using mailing = await startTestApi({ smtp: { url: mail.url, from: 'console@example.com' } });
    const ines = await mailing.signUp('ines-unmailed');
    expect(await begin(ines, 'unmailed@example.com')).toMatchObject({
      status: 503,
      body: { message: 'The mail server did not take the message.' },
    });
    expect(await pendingOf(ines)).toBeNull();
  } finally {
    await mail.close();
  }
});
