import type { SecurityEvent } from '@homeport/contract/account/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bodyOf, password, startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { nextTotpOf, totpOf, wrongTotpOf } from '../../testing/totp.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
});
afterAll(() => api?.[Symbol.asyncDispose]());

let addresses = 0;
const elsewhere = () => ({ 'x-forwarded-for': `10.2.0.${++addresses}` });
const send = (who: TestVisitor, route: string, body: object) =>
  who.call(`POST /api/auth/${route}`, body, elsewhere());
const isSignedIn = async (who: TestVisitor) => (await who.call('GET /api/session')).status === 200;
const kindsOf = async (who: TestVisitor) =>
  bodyOf<SecurityEvent[]>(await who.call('GET /api/security-events'), 200).map(({ kind }) => kind);

type Enabled = { totpURI: string; backupCodes: string[] };

async function personWithSecondStep(name: string) {
  const person = await api.signUp(name);
  const begun = bodyOf<Enabled>(await send(person, 'two-factor/enable', { password }), 200);
  expect((await send(person, 'two-factor/verify-totp', { code: totpOf(begun.totpURI) })).status).toBe(200);
  return { person, ...begun };
}

/** The password is right and the second step is still to come. */
async function halfSignedIn(email: string) {
  const visitor = api.visitor();
  const answer = await send(visitor, 'sign-in/email', { email, password });
  expect(answer).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  expect(await isSignedIn(visitor)).toBe(false);
  return visitor;
}

it('lets in with the password and a code of the app, and not with the password alone', async () => {
  const { person, totpURI } = await personWithSecondStep('ada-app');
  expect((await person.call('GET /api/profile')).body).toMatchObject({ secondStep: true });
  const visitor = await halfSignedIn(person.email);
  expect((await send(visitor, 'two-factor/verify-totp', { code: nextTotpOf(totpURI) })).status).toBe(200);
  expect(await isSignedIn(visitor)).toBe(true);
  await expect.poll(() => kindsOf(visitor)).toEqual(['new_browser_signed_in', 'second_step_on', 'signed_up']);
});

it('takes a code of the app once, also the one that turned it on, and of two uses at once one', async () => {
  const person = await api.signUp('ada-once');
  const { totpURI } = bodyOf<Enabled>(await send(person, 'two-factor/enable', { password }), 200);
  const first = totpOf(totpURI);
  expect((await send(person, 'two-factor/verify-totp', { code: first })).status).toBe(200);
  const refused = { status: 400, body: { fields: { code: 'This code is wrong or was used before.' } } };
  const early = await halfSignedIn(person.email);
  expect(await send(early, 'two-factor/verify-totp', { code: first })).toMatchObject(refused);
  expect(await isSignedIn(early)).toBe(false);

  const code = nextTotpOf(totpURI);
  const visitors = await Promise.all([1, 2, 3, 4].map(() => halfSignedIn(person.email)));
  const answers = await Promise.all(visitors.map((each) => send(each, 'two-factor/verify-totp', { code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect(answers.find(({ status }) => status === 400)).toMatchObject(refused);
  const late = await halfSignedIn(person.email);
  expect(await send(late, 'two-factor/verify-totp', { code })).toMatchObject(refused);
});

it('asks nobody before the first right code', async () => {
  const person = await api.signUp('ada-begun');
  const { totpURI } = bodyOf<Enabled>(await send(person, 'two-factor/enable', { password }), 200);
  expect(await send(person, 'two-factor/verify-totp', { code: wrongTotpOf(totpURI) })).toMatchObject({
    status: 400,
    body: { fields: { code: 'This code is wrong or was used before.' } },
  });
  const visitor = api.visitor();
  await send(visitor, 'sign-in/email', { email: person.email, password });
  expect(await isSignedIn(visitor)).toBe(true);
});

it('takes each recovery code once', async () => {
  const { person, backupCodes } = await personWithSecondStep('ada-recovery');
  expect(backupCodes).toHaveLength(10);
  const [code = ''] = backupCodes;
  const first = await halfSignedIn(person.email);
  expect((await send(first, 'two-factor/verify-backup-code', { code })).status).toBe(200);
  expect(await isSignedIn(first)).toBe(true);
  await expect
    .poll(() => kindsOf(first))
    .toEqual(expect.arrayContaining(['recovery_code_used', 'new_browser_signed_in']));
  const second = await halfSignedIn(person.email);
  expect(await send(second, 'two-factor/verify-backup-code', { code })).toMatchObject({
    status: 400,
    body: { fields: { code: expect.any(String) } },
  });
  expect(await isSignedIn(second)).toBe(false);
});

it('lists wrong codes as failed sign-ins, and takes five of them before the password is asked again', async () => {
  const { person, totpURI } = await personWithSecondStep('ada-wrong');
  const visitor = await halfSignedIn(person.email);
  const statuses = [];
  for (let n = 0; n < 6; n++)
    statuses.push((await send(visitor, 'two-factor/verify-totp', { code: wrongTotpOf(totpURI) })).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 401]);
  const late = await send(visitor, 'two-factor/verify-totp', { code: nextTotpOf(totpURI) });
  expect(late).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  await expect.poll(() => kindsOf(person)).toContain('sign_in_failed');
});

it('refuses an account’s codes for a while after ten wrong ones, from however many sign-ins', async () => {
  const { person, totpURI } = await personWithSecondStep('ada-locked');
  for (let round = 0; round < 2; round++) {
    const visitor = await halfSignedIn(person.email);
    for (let n = 0; n < 5; n++) await send(visitor, 'two-factor/verify-totp', { code: wrongTotpOf(totpURI) });
  }
  const visitor = await halfSignedIn(person.email);
  const answer = await send(visitor, 'two-factor/verify-totp', { code: nextTotpOf(totpURI) });
  expect(answer).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect(await isSignedIn(visitor)).toBe(false);
});

it('is changed with the password only', async () => {
  const { person } = await personWithSecondStep('ada-change');
  for (const route of ['two-factor/disable', 'two-factor/generate-backup-codes', 'two-factor/enable'])
    expect(await send(person, route, { password: 'not the one' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    });
  expect((await send(api.visitor(), 'two-factor/disable', { password })).status, 'without a session').toBe(
    401,
  );
  expect((await send(person, 'two-factor/disable', { password })).status).toBe(200);
  expect((await person.call('GET /api/profile')).body).toMatchObject({ secondStep: false });
  const visitor = api.visitor();
  await send(visitor, 'sign-in/email', { email: person.email, password });
  expect(await isSignedIn(visitor)).toBe(true);
});

it('holds after a new password by a mailed link', async () => {
  const { person } = await personWithSecondStep('ada-reset');
  await api.store.db
    .updateTable('auth.user')
    .set({ emailVerified: true })
    .where('id', '=', person.userId)
    .execute();
  await send(api.visitor(), 'request-password-reset', { email: person.email });
  const token = await vi.waitFor(
    async () => {
      const { rows } = await sql<{ identifier: string }>`
        select identifier from auth.verification where value = ${person.userId}
          and identifier like 'reset-password:%'`.execute(api.store.db);
      return rows[0]?.identifier.slice('reset-password:'.length) ?? Promise.reject(new Error('no link yet'));
    },
    { timeout: 10_000 },
  );
  const visitor = api.visitor();
  const answer = await send(visitor, 'reset-password', { newPassword: password, token });
  expect(answer.status).toBe(200);
  expect(await isSignedIn(visitor)).toBe(false);
  await halfSignedIn(person.email);
});

it('keeps neither the secret nor a recovery code in clear', async () => {
  const { person, totpURI, backupCodes } = await personWithSecondStep('ada-sealed');
  const secret = new URL(totpURI).searchParams.get('secret') ?? 'none';
  const { rows } = await sql<{ line: string }>`
    select t::text as line from auth."twoFactor" t where "userId" = ${person.userId}`.execute(api.store.db);
  const kept = rows.map(({ line }) => line).join() + api.logged.join();
  expect(kept).toContain(person.userId);
  for (const each of [secret, ...backupCodes]) expect(kept).not.toContain(each);
});
