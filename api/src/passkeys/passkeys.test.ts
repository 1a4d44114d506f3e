import type { CreationOptions, Passkey } from '@homeport/contract/passkeys/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bodyOf,
  createVisitor,
  password,
  startTestApi,
  type TestApi,
  type TestVisitor,
} from '../http/testing.ts';
import { totpOf } from '../testing/totp.ts';
import { createDevice } from './device.testing.ts';

const rpId = 'console.example';
const origin = `http://${rpId}`;
let api: TestApi;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open', publicUrl: origin }, { clock: () => now });
});
afterAll(() => api?.[Symbol.asyncDispose]());

type Page = { call: (key: string, body?: unknown) => ReturnType<TestVisitor['call']> };
let addresses = 0;
/** A page of the console at its own name. Each comes from another address, because this is not about limits. */
function openPage(): Page {
  const visitor = createVisitor(api.url);
  const from = { origin, 'x-forwarded-for': `10.9.0.${++addresses}` };
  return { call: (key, body) => visitor.call(key, body, from) };
}

async function signUp(name: string): Promise<Page> {
  const page = openPage();
  bodyOf(
    await page.call('POST /api/auth/sign-up/email', { name, email: `${name}@example.com`, password }),
    200,
  );
  return page;
}

const begin = async (page: Page) => bodyOf<CreationOptions>(await page.call('POST /api/passkeys/begin'), 200);

async function add(page: Page, device = createDevice(rpId)) {
  const { challenge } = await begin(page);
  const made = device.make(challenge, origin);
  const passkey = bodyOf<Passkey>(await page.call('POST /api/passkeys', { name: 'laptop', made }), 201);
  return { device, passkey };
}

const challengeFor = async (page: Page) =>
  bodyOf<{ challenge: string }>(await page.call('POST /api/auth/sign-in/passkey/begin', {}), 200).challenge;

const kinds = async (page: Page) =>
  bodyOf<{ kind: string }[]>(await page.call('GET /api/security-events'), 200).map(({ kind }) => kind);

it('a passkey is added with the password, renamed, signs in, and is removed', async () => {
  const ada = await signUp('ada');
  const { device, passkey } = await add(ada);
  bodyOf(await ada.call(`PATCH /api/passkeys/${passkey.id}`, { name: 'desk' }), 200);

  const elsewhere = openPage();
  const signed = device.sign(await challengeFor(elsewhere), origin);
  expect(await elsewhere.call('POST /api/auth/sign-in/passkey', signed)).toMatchObject({
    status: 200,
    body: { user: { email: 'ada@example.com' } },
  });
  const [used] = bodyOf<Passkey[]>(await elsewhere.call('GET /api/passkeys'), 200);
  expect(used).toMatchObject({ name: 'desk', lastUsedAt: now });
  await expect
    .poll(() => kinds(ada))
    .toEqual(expect.arrayContaining(['passkey_added', 'new_browser_signed_in']));

  bodyOf(await ada.call(`DELETE /api/passkeys/${passkey.id}`), 200);
  expect(await kinds(ada)).toContain('passkey_removed');
  const again = openPage();
  const late = device.sign(await challengeFor(again), origin, { counter: 2 });
  expect((await again.call('POST /api/auth/sign-in/passkey', late)).status).toBe(401);
});

it('is not added by another session, or twice', async () => {
  const ada = await signUp('ada-adds');
  const { challenge } = await begin(ada);
  const eve = await signUp('eve-adds');
  const device = createDevice(rpId);
  const made = device.make(challenge, origin);
  expect((await eve.call('POST /api/passkeys', { name: 'hers', made })).status).toBe(400);
  await add(ada, device);
  const { challenge: next } = await begin(eve);
  const stolen = { name: 'hers', made: device.make(next, origin) };
  expect((await eve.call('POST /api/passkeys', stolen)).status).toBe(409);
});

it.each([
  [
    'an answer for another origin',
    (d: ReturnType<typeof createDevice>, c: string) => d.sign(c, 'http://evil.example'),
  ],
  ['a person who was not verified', (d, c) => d.sign(c, origin, { verified: false })],
  ['a challenge of its own', (d) => d.sign(Buffer.alloc(32).toString('base64url'), origin)],
  ['a signature that was changed', (d, c) => ({ ...d.sign(c, origin), signature: 'AAAA' })],
  ['damaged client data', (d, c) => ({ ...d.sign(c, origin), clientDataJSON: 'AAAA' })],
  ['an unknown passkey', (_, c) => createDevice(rpId).sign(c, origin)],
] satisfies [string, (device: ReturnType<typeof createDevice>, challenge: string) => object][])(
  'nobody signs in with %s',
  async (_what, answer) => {
    const { device } = await add(await signUp(`spoils-${addresses}`));
    const page = openPage();
    const refused = await page.call(
      'POST /api/auth/sign-in/passkey',
      answer(device, await challengeFor(page)),
    );
    expect(refused).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect((await page.call('GET /api/session')).status).toBe(401);
  },
);

it('a challenge works once, in the browser that asked, and for five minutes', async () => {
  const { device } = await add(await signUp('ada-once'));
  const page = openPage();
  const signed = device.sign(await challengeFor(page), origin);
  const thief = openPage();
  await challengeFor(thief);
  expect((await thief.call('POST /api/auth/sign-in/passkey', signed)).status).toBe(401);
  expect((await page.call('POST /api/auth/sign-in/passkey', signed)).status, 'the thief used it up').toBe(
    401,
  );

  const late = device.sign(await challengeFor(page), origin, { counter: 2 });
  now += 5 * 60_000;
  expect((await page.call('POST /api/auth/sign-in/passkey', late)).status).toBe(401);
});

it('a copy that is behind in its count is refused', async () => {
  const { device } = await add(await signUp('ada-count'));
  const page = openPage();
  const ahead = device.sign(await challengeFor(page), origin, { counter: 9 });
  bodyOf(await page.call('POST /api/auth/sign-in/passkey', ahead), 200);
  const copy = openPage();
  const behind = device.sign(await challengeFor(copy), origin, { counter: 9 });
  expect((await copy.call('POST /api/auth/sign-in/passkey', behind)).status).toBe(401);
});

it('the second step is asked for after a passkey too', async () => {
  const ada = await signUp('ada-second');
  const { device } = await add(ada);
  const { totpURI } = bodyOf<{ totpURI: string }>(
    await ada.call('POST /api/auth/two-factor/enable', { password }),
    200,
  );
  bodyOf(await ada.call('POST /api/auth/two-factor/verify-totp', { code: totpOf(totpURI, now) }), 200);
  const page = openPage();
  const signed = device.sign(await challengeFor(page), origin);
  expect((await page.call('POST /api/auth/sign-in/passkey', signed)).body).toEqual({
    twoFactorRedirect: true,
  });
  expect((await page.call('GET /api/session')).status).toBe(401);
});

it('a console at an IP address says why it has no passkeys', async () => {
  await using numbered = await startTestApi({ signUps: 'open' });
  const ada = await numbered.signUp('ada');
  expect(await ada.call('POST /api/passkeys/begin')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('IP address') },
  });
});
