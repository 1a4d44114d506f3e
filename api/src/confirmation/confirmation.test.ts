import { confirmedMinutes } from '@homeport/contract/identity/facts';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { startGithub } from '@homeport/stand-ins/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bodyOf,
  createVisitor,
  password,
  startTestApi,
  type TestApi,
  type TestPerson,
} from '../http/testing.ts';
import { createLocations } from '../location/locations.ts';
import { createDevice } from '../passkeys/device.testing.ts';
import { settingsOf, signInWithGithub } from '../testing/github.ts';
import { goodBody } from '../testing/good-bodies.ts';
import { namedKind, type Planted, plantOneOfEach } from '../testing/plant.ts';
import { makeToken } from '../tokens/make-token.ts';

let github: Awaited<ReturnType<typeof startGithub>>;
let api: TestApi;
beforeAll(async () => {
  github = await startGithub();
  api = await startTestApi({ signUps: 'open', github: settingsOf(github) });
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

/** The session was made so long ago that it counts as left open. */
const leaveOpen = (who: Pick<TestPerson, 'userId'>) =>
  api.store.db
    .updateTable('auth.session')
    .set({ createdAt: new Date(Date.now() - confirmedMinutes * 60_000 - 1_000) })
    .where('userId', '=', who.userId)
    .execute();

const table = (Object.entries(routes) as [RouteKey, RouteSchemas][]).filter(
  ([key, { access, kind }]) =>
    access !== 'anyone' && access !== 'agent' && kind === undefined && !key.startsWith('GET '),
);

/** What opens an account, or the console for one more person. Times of use are left out. */
async function waysIn(): Promise<string> {
  const { rows } = await sql<{ way: string }>`
    select way from (
      select 'token ' || id::text from api_tokens union all
      select 'terminal ' || id::text from device_codes where state = 'approved' union all
      select 'passkey ' || id::text from passkeys union all
      select 'challenge ' || encode(challenge_hash, 'hex') from passkey_challenges union all
      select 'linked ' || id::text from linked_accounts where service = 'github' union all
      select 'visit ' || encode(state_hash, 'hex') from github_visits union all
      select 'invitation ' || id::text from invitations union all
      select 'oauth app ' || name || encode(sealed, 'hex') from console_credentials union all
      select 'app ' || "userId"::text from auth."twoFactor" union all
      select 'password ' || "userId"::text || coalesce(password, '') from auth.account union all
      select 'tap ' || id::text || encode(sealed, 'hex') from notice_destinations where kind <> 'email' union all
      select 'commands ' || id::text from servers where commands_allowed union all
      select 'shell ' || id::text from servers where shell_allowed union all
      select 'address ' || email from auth."user") ways (way) order by way`.execute(api.store.db);
  return rows.map(({ way }) => way).join('\n');
}

/** These ask for the password in each request, however fresh the session is. */
const asksItself: RouteKey[] = ['PUT /api/profile/password'];

describe.each(table)('%s', (key, route) => {
  it(route.confirm ? 'asks a session that was left open' : 'makes no way in that lasts', async () => {
    // The first account owns the console.
    const ada = (await owner()) as TestPerson;
    const things = await plantOneOfEach(api.store.db, ada.userId);
    await leaveOpen(ada);
    const before = await waysIn();
    const { status, body } = await ask(ada, key, route, things);
    if (route.confirm)
      expect({ status, body }).toMatchObject({ status: 403, body: { code: 'confirmation_required' } });
    else expect(body).not.toMatchObject({ code: 'confirmation_required' });
    if (!asksItself.includes(key)) expect(madeSince(before, await waysIn())).toEqual([]);
  });
});

const madeSince = (before: string, after: string) => {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((way) => way !== '' && !known.has(way));
};

let first: Promise<TestPerson> | undefined;
let people = 0;
/** The owner; where a route ended the session or the account, whoever owns the console now. */
async function owner(): Promise<TestPerson> {
  const known = await first;
  if (known && (await known.call('GET /api/session')).status === 200) return known;
  await sql`delete from auth."user"`.execute(api.store.db);
  first = api.signUp(`ada-${++people}`);
  return first;
}

function ask(person: TestPerson, key: RouteKey, route: RouteSchemas, things: Planted) {
  const address = key
    .replace(':id', things[namedKind(key) as keyof Planted])
    .replace(':dump', things.servers)
    .replace(':record', '0'.repeat(32))
    .replace(':rule', things.rules);
  return person.call(address, route.body && goodBody(key, things));
}

it('the routes that ask are these', () => {
  expect(
    table
      .filter(([, route]) => route.confirm)
      .map(([key]) => key)
      .sort(),
  ).toEqual([
    'POST /api/console/backups',
    'POST /api/console/backups/:id/fetch',
    'POST /api/destinations',
    'POST /api/destinations/:id/chat-link',
    'POST /api/destinations/:id/secret',
    'POST /api/device/:id/approve',
    'POST /api/github/link',
    'POST /api/github/token',
    'POST /api/invitations',
    'POST /api/passkeys/begin',
    'POST /api/servers/:id/commands/allow',
    'POST /api/servers/:id/shell/allow',
    'POST /api/tokens',
    'POST /api/tokens/revoke-all',
    'PUT /api/console/backups/plan',
    'PUT /api/github/app',
    'PUT /api/servers/:id/address',
  ]);
});

const token = { name: 'backup', scopes: ['apps:read'], days: 30 };

describe('a session that was left open', () => {
  it('makes a token after the password, for some minutes, and no other session of the person does', async () => {
    const ada = await api.signUp('ada-password');
    const other = createVisitor(api.url);
    bodyOf(await other.call('POST /api/auth/sign-in/email', { email: ada.email, password }), 200);
    await leaveOpen(ada);
    expect((await ada.call('POST /api/tokens', token)).status).toBe(403);
    const wrong = { by: 'password', password: 'not this one' };
    expect(await ada.call('POST /api/session/confirm', wrong)).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    });
    expect((await ada.call('POST /api/tokens', token)).status).toBe(403);
    bodyOf(await ada.call('POST /api/session/confirm', { by: 'password', password }), 200);
    expect((await ada.call('POST /api/tokens', token)).status).toBe(201);
    expect((await other.call('POST /api/tokens', token)).status).toBe(403);

    const ended = Date.now() - confirmedMinutes * 60_000 - 1_000;
    await api.store.db.updateTable('session_confirmations').set({ confirmed_at: ended }).execute();
    expect((await ada.call('POST /api/tokens', token)).status).toBe(403);
  });

  it('of an account with GitHub alone is confirmed by no password, and a new sign-in makes a token', async () => {
    const octo = await github.addPerson('octo-alone');
    const browser = createVisitor(api.url);
    expect((await signInWithGithub(browser, octo)).status).toBe(200);
    const { user } = bodyOf<{ user: { id: string } }>(await browser.call('GET /api/session'), 200);
    await leaveOpen({ userId: user.id });
    expect((await browser.call('POST /api/tokens', token)).status).toBe(403);
    expect(bodyOf(await browser.call('POST /api/session/confirm/begin'), 200)).toEqual({
      ...{ password: false, passkey: null, github: true },
    });
    const typed = { by: 'password', password };
    expect((await browser.call('POST /api/session/confirm', typed)).status).toBe(400);
    expect((await browser.call('POST /api/tokens', token)).status).toBe(403);
    expect((await signInWithGithub(browser, octo)).status).toBe(200);
    expect((await browser.call('POST /api/tokens', token)).status).toBe(201);
  });

  it('confirms with a passkey of its own person, and with no other', async () => {
    const [rpId, origin] = ['console.example', 'http://console.example'];
    await using named = await startTestApi({ signUps: 'open', publicUrl: origin });
    const open = async (name: string) => {
      const visitor = createVisitor(named.url);
      const call = (key: string, body?: unknown) => visitor.call(key, body, { origin });
      bodyOf(
        await call('POST /api/auth/sign-up/email', { name, email: `${name}@example.com`, password }),
        200,
      );
      const device = createDevice(rpId);
      const { challenge } = bodyOf<{ challenge: string }>(await call('POST /api/passkeys/begin'), 200);
      bodyOf(await call('POST /api/passkeys', { name, made: device.make(challenge, origin) }), 201);
      return { call, device };
    };
    const [ada, eve] = [await open('ada'), await open('eve')];
    const longAgo = new Date(Date.now() - 24 * 60 * 60_000);
    await named.store.db.updateTable('auth.session').set({ createdAt: longAgo }).execute();
    const confirm = async (device: typeof ada.device, counter: number) => {
      const begun = bodyOf<{ passkey: { challenge: string } }>(
        await ada.call('POST /api/session/confirm/begin'),
        200,
      );
      const used = device.sign(begun.passkey.challenge, origin, { counter });
      return (await ada.call('POST /api/session/confirm', { by: 'passkey', used })).status;
    };
    expect(await confirm(eve.device, 1)).toBe(400);
    expect((await ada.call('POST /api/tokens', token)).status).toBe(403);
    expect(await confirm(ada.device, 1)).toBe(200);
    expect((await ada.call('POST /api/tokens', token)).status).toBe(201);
  });
});

it('a session that ended while its request was under way makes no way in', async () => {
  const ada = await api.signUp('ada-ended');
  const session = await api.store.db
    .selectFrom('auth.session')
    .select('id')
    .where('userId', '=', ada.userId)
    .executeTakeFirstOrThrow();
  const identity = {
    userId: ada.userId,
    sessionId: session.id,
    name: 'ada',
    email: ada.email,
    emailVerified: true,
  };
  await api.store.db.deleteFrom('auth.session').where('id', '=', session.id).execute();
  const deps = { store: api.store, clock: Date.now, locations: createLocations(), most: 10 };
  const made = makeToken(deps, identity, { kind: 'program', name: 'late', scopes: ['apps:read'], days: 1 });
  await expect(made).rejects.toMatchObject({ code: 'not_signed_in' });
});
