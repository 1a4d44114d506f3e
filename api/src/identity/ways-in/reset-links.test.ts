import type { SecurityEvent } from '@homeport/contract/account/schema';
import { afterEach, expect, it } from 'vitest';
import { bodyOf, password, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { totpOf } from '../../testing/totp.ts';
import { makeOwnerLink } from './reset-links.ts';

const newPassword = 'a harbour in the fog';
let api: TestApi;
let now = Date.now();
afterEach(() => api[Symbol.asyncDispose]());

async function start() {
  now = Date.now();
  api = await startTestApi({ signUps: 'open' }, { clock: () => now });
  const ada = await api.signUp('ada');
  await api.signUp('bob');
  return ada;
}

const verify = ({ userId }: TestPerson) =>
  api.store.db.updateTable('auth.user').set({ emailVerified: true }).where('id', '=', userId).execute();

async function tokenOfLink(endsSecondStep = false): Promise<string> {
  const made = await makeOwnerLink(api.store.db, { publicUrl: api.url, endsSecondStep, now });
  const [address, token = ''] = made?.link.split('#token=') ?? [];
  expect(address).toBe(`${api.url}/reset-password`);
  return token;
}

const use = (token: string, more: { keepOtherWays?: boolean } = {}) =>
  api.visitor().call('POST /api/auth/reset-password', { token, newPassword, ...more });

const signIn = (email: string, typed: string) =>
  api.visitor().call('POST /api/auth/sign-in/email', { email, password: typed });

it('sets the owner’s password once, ends the sign-ins, and is told as an event and by mail', async () => {
  const ada = await start();
  await verify(ada);
  const token = await tokenOfLink();
  expect((await use(token)).status).toBe(200);
  expect((await use(token)).status).toBe(400);
  expect((await ada.call('GET /api/session')).status).toBe(401);
  expect((await signIn(ada.email, password)).status).toBe(401);
  const browser = api.visitor();
  bodyOf(
    await browser.call('POST /api/auth/sign-in/email', { email: ada.email, password: newPassword }),
    200,
  );
  const events = bodyOf<SecurityEvent[]>(await browser.call('GET /api/security-events'), 200);
  expect(events.map(({ kind }) => kind)).toContain('password_reset_by_operator');
  await expect
    .poll(() => api.announced.join('\n'), { timeout: 20_000 })
    .toContain('with a link that was made on the console’s machine');
});

it('ends within an hour, and with the next link', async () => {
  await start();
  const first = await tokenOfLink();
  const second = await tokenOfLink();
  expect((await use(first)).status).toBe(400);
  now += 60 * 60_000 + 1;
  expect((await use(second)).status).toBe(400);
  expect((await use(await tokenOfLink())).status).toBe(200);
});

it('verifies no address, and keeps the other ways in where the owner wants it', async () => {
  const ada = await start();
  const made = { name: 'for a year', scopes: ['servers:write'], days: 365 };
  bodyOf(await ada.call('POST /api/tokens', made), 201);
  expect((await use(await tokenOfLink(), { keepOtherWays: true })).status).toBe(200);
  const { emailVerified } = await api.store.db
    .selectFrom('auth.user')
    .select('emailVerified')
    .where('id', '=', ada.userId)
    .executeTakeFirstOrThrow();
  expect(emailVerified).toBe(false);
  expect(await api.store.db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1);
  expect((await use(await tokenOfLink())).status).toBe(200);
  expect(await api.store.db.selectFrom('api_tokens').select('id').execute()).toEqual([]);
});

it('leaves the second step, unless the operator ends it', async () => {
  const ada = await start();
  const begun = await ada.call('POST /api/auth/two-factor/enable', { password });
  const { totpURI } = bodyOf<{ totpURI: string }>(begun, 200);
  bodyOf(await ada.call('POST /api/auth/two-factor/verify-totp', { code: totpOf(totpURI, now) }), 200);
  expect((await use(await tokenOfLink())).status).toBe(200);
  expect((await signIn(ada.email, newPassword)).body).toEqual({ twoFactorRedirect: true });
  expect((await use(await tokenOfLink(true))).status).toBe(200);
  expect((await signIn(ada.email, newPassword)).body).toMatchObject({ user: { email: ada.email } });
});

it('keeps no token from which somebody who reads the store could make the link', async () => {
  await start();
  const token = await tokenOfLink();
  const { rows } = await api.store.pool.query<{ text: string }>(
    'select v::text as text from auth.verification v',
  );
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(token);
});
