import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { CreationOptions } from '@homeport/contract/passkeys/schema';
import { type GithubProcess, type PersonAtGithub, startGithub } from '@homeport/stand-ins/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bodyOf,
  createVisitor,
  password,
  startTestApi,
  type TestApi,
  type TestVisitor,
} from '../../http/testing.ts';
import { createDevice } from '../../passkeys/device.testing.ts';
import { linkGithub, settingsOf, signInWithGithub } from '../../testing/github.ts';
import { totpOf } from '../../testing/totp.ts';

const rpId = 'console.example';
const origin = `http://${rpId}`;
const newPassword = 'a harbour in the fog';

let github: GithubProcess;
let api: TestApi;
beforeAll(async () => {
  github = await startGithub();
  api = await startTestApi({ signUps: 'open', publicUrl: origin, github: settingsOf(github) });
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

let addresses = 0;
/** A browser at the console's own name, from an address of its own. */
function openBrowser(): TestVisitor {
  const visitor = createVisitor(api.url);
  const from = { origin, 'x-forwarded-for': `10.7.0.${++addresses}` };
  return {
    ...visitor,
    call: (key, body, headers) => visitor.call(key, body, { ...from, ...headers }),
  };
}

type Settled = {
  email: string;
  userId: string;
  browser: TestVisitor;
  token: string;
  device: ReturnType<typeof createDevice>;
  octo: PersonAtGithub;
};

/** Somebody signs up with an address, and makes every way in that an account can have, and a way out for its news. */
async function settle(name: string): Promise<Settled> {
  const email = `${name}@example.com`;
  const browser = openBrowser();
  const made = await browser.call('POST /api/auth/sign-up/email', { name, email, password });
  const userId = bodyOf<{ user: { id: string } }>(made, 200).user.id;
  const body = { name: 'for a year', scopes: ['servers:write'], days: 365 };
  const { token } = bodyOf<{ token: string }>(await browser.call('POST /api/tokens', body), 201);
  const device = createDevice(rpId);
  const { challenge } = bodyOf<CreationOptions>(await browser.call('POST /api/passkeys/begin'), 200);
  const passkey = { name: 'theirs', made: device.make(challenge, origin) };
  bodyOf(await browser.call('POST /api/passkeys', passkey), 201);
  const octo = await github.addPerson(`octo-${name}`);
  bodyOf(await linkGithub(browser, octo), 200);
  const target = { kind: 'webhook', url: 'https://hooks.example.com/theirs' };
  bodyOf(await browser.call('POST /api/destinations', { name: 'theirs', target }), 201);
  return { email, userId, browser, token, device, octo };
}

async function turnOnSecondStep(browser: TestVisitor) {
  const begun = await browser.call('POST /api/auth/two-factor/enable', { password });
  const { totpURI } = bodyOf<{ totpURI: string }>(begun, 200);
  bodyOf(await browser.call('POST /api/auth/two-factor/verify-totp', { code: totpOf(totpURI) }), 200);
}

const verify = ({ userId }: Settled) =>
  api.store.db.updateTable('auth.user').set({ emailVerified: true }).where('id', '=', userId).execute();

/** Has the address of the account hear of nothing. */
async function beQuiet({ browser }: Settled): Promise<void> {
  const [mail] = bodyOf<{ id: string }[]>(await browser.call('GET /api/destinations'), 200);
  const quietHours = { from: '00:00', to: '23:59', zone: 'UTC', grave: false };
  bodyOf(await browser.call(`PUT /api/destinations/${mail?.id}/quiet-hours`, { quietHours }), 200);
  const late = { afterMinutes: 60, repeatHours: null };
  bodyOf(await browser.call(`PUT /api/destinations/${mail?.id}/escalation`, late), 200);
}

const quietOf = ({ userId }: Settled) =>
  api.store.db
    .selectFrom('notice_destinations')
    .select(['quiet_hours', 'after_minutes'])
    .where('owner_id', '=', userId)
    .execute();

/** The token of the newest link of this kind that was mailed to the address. */
const linkTo = (email: string, page: string) =>
  vi.waitFor(
    () => {
      const mails = api.announced.filter((text) => text.startsWith(`Message for ${email}:`));
      const found = mails.flatMap((text) => new RegExp(`${page}#token=(\\S+)`).exec(text)?.[1] ?? []);
      return found.at(-1) ?? Promise.reject(new Error('no link yet'));
    },
    { timeout: 10_000 },
  );

async function setByMail(email: string, keepOtherWays?: boolean): Promise<TestVisitor> {
  const browser = openBrowser();
  bodyOf(await browser.call('POST /api/auth/request-password-reset', { email }), 200);
  const token = await linkTo(email, '/reset-password');
  bodyOf(await browser.call('POST /api/auth/reset-password', { token, newPassword, keepOtherWays }), 200);
  return browser;
}

/** What of the earlier ways still opens the account, or gets its news. */
async function openedBy({ userId, browser, token, device, octo }: Settled): Promise<string[]> {
  const opened: string[] = [];
  if ((await browser.call('GET /api/session')).status === 200) opened.push('session');
  const headers = { authorization: `Bearer ${token}` };
  if ((await fetch(`${api.url}/api/servers`, { headers })).status === 200) opened.push('token');
  const page = openBrowser();
  const { challenge } = bodyOf<{ challenge: string }>(
    await page.call('POST /api/auth/sign-in/passkey/begin', {}),
    200,
  );
  const signed = device.sign(challenge, origin);
  if ((await page.call('POST /api/auth/sign-in/passkey', signed)).status === 200) opened.push('passkey');
  const visitor = openBrowser();
  await signInWithGithub(visitor, octo);
  const { body } = await visitor.call('GET /api/session');
  if (JSON.stringify(body).includes(userId)) opened.push('github');
  const destinations = await api.store.db
    .selectFrom('notice_destinations')
    .select('kind')
    .where('owner_id', '=', userId)
    .orderBy('created_at')
    .execute();
  // The address of the account is always one.
  opened.push(...destinations.slice(1).map(({ kind }) => kind));
  return opened;
}

const eventsOf = async (email: string) => {
  const browser = openBrowser();
  bodyOf(await browser.call('POST /api/auth/sign-in/email', { email, password: newPassword }), 200);
  return bodyOf<SecurityEvent[]>(await browser.call('GET /api/security-events'), 200);
};

describe('a password set by a mailed link', () => {
  it('ends every way in of whoever had the address before, and lets its reader in', async () => {
    const eve = await settle('victim');
    await turnOnSecondStep(eve.browser);
    await beQuiet(eve);
    // The person cannot keep what was made before the address was theirs.
    await setByMail(eve.email, true);
    expect(await openedBy(eve)).toEqual([]);
    expect(await quietOf(eve)).toEqual([{ quiet_hours: null, after_minutes: 0 }]);
    const reset = (await eventsOf(eve.email)).find(({ kind }) => kind === 'password_reset');
    expect(reset?.subject).toBe(
      'ended: 1 API token, 1 passkey, the link to octo-victim at GitHub, 1 destination of news, quiet hours, the second step',
    );
    await expect
      .poll(() => api.announced.join('\n'), { timeout: 10_000 })
      .toContain('A new password was set for your account with a mailed link: ended: 1 API token');
  });

  it('ends them in an account with a verified address too, but leaves its second step', async () => {
    const ada = await settle('ada-verified');
    await turnOnSecondStep(ada.browser);
    await verify(ada);
    await setByMail(ada.email);
    expect(await openedBy(ada)).toEqual([]);
    const signedIn = { email: ada.email, password: newPassword };
    expect((await openBrowser().call('POST /api/auth/sign-in/email', signedIn)).body).toEqual({
      twoFactorRedirect: true,
    });
  });

  it('leaves tokens, passkeys, GitHub and destinations where a person with a verified address keeps them', async () => {
    const ada = await settle('ada-keeps');
    await verify(ada);
    await setByMail(ada.email, true);
    expect(await openedBy(ada)).toEqual(['token', 'passkey', 'github', 'webhook']);
  });

  it('ends the grant at GitHub, and the sign-in that waits for a code', async () => {
    const ada = await settle('ada-waits');
    await turnOnSecondStep(ada.browser);
    const waiting = openBrowser();
    bodyOf(await waiting.call('POST /api/auth/sign-in/email', { email: ada.email, password }), 200);
    await setByMail(ada.email);
    const { rows } = await sql`select 1 from auth.verification where value = ${ada.userId}`.execute(
      api.store.db,
    );
    expect(rows).toEqual([]);
    await expect
      .poll(async () => (await github.grants()).some(({ login }) => login === ada.octo.login))
      .toBe(false);
  });

  it('works once, and refuses an invented link', async () => {
    const ada = await settle('ada-once');
    const browser = openBrowser();
    await browser.call('POST /api/auth/request-password-reset', { email: ada.email });
    const token = await linkTo(ada.email, '/reset-password');
    const both = await Promise.all(
      [1, 2].map(() => openBrowser().call('POST /api/auth/reset-password', { token, newPassword })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const invented = await browser.call('POST /api/auth/reset-password', { token: 'x', newPassword });
    expect(invented).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  });
});

describe('the first proof of an address', () => {
  it('in a browser where nobody of the account is signed in ends what was made beside the password', async () => {
    const eve = await settle('reader');
    await turnOnSecondStep(eve.browser);
    const token = await linkTo(eve.email, '/verify-email');
    bodyOf(await openBrowser().call('POST /api/auth/verify-email', { token }), 200);
    expect(await openedBy(eve)).toEqual(['session']);
    expect((await eve.browser.call('GET /api/profile')).body).toMatchObject({ secondStep: false });
    const [newest] = bodyOf<SecurityEvent[]>(await eve.browser.call('GET /api/security-events'), 200);
    expect(newest).toMatchObject({ kind: 'ways_ended', subject: expect.stringContaining('1 API token') });
  });

  it('in a browser of the account ends nothing', async () => {
    const ada = await settle('ada-reads');
    const token = await linkTo(ada.email, '/verify-email');
    bodyOf(await ada.browser.call('POST /api/auth/verify-email', { token }), 200);
    expect(await openedBy(ada)).toEqual(['session', 'token', 'passkey', 'github', 'webhook']);
  });
});

describe('a password changed by a signed-in person', () => {
  it.each([
    [true, ['session']],
    [false, ['session', 'token', 'passkey', 'github', 'webhook']],
  ])('with endOtherWays %s leaves %j', async (endOtherWays, left) => {
    const ada = await settle(`ada-changes-${endOtherWays}`);
    const body = { currentPassword: password, newPassword, endOtherWays };
    bodyOf(await ada.browser.call('PUT /api/profile/password', body), 200);
    expect(await openedBy(ada)).toEqual(left);
  });
});
