import {
  deviceCodesPerNetwork,
  deviceCodesTogether,
  deviceLifeSeconds,
  terminalDays,
  terminalScopes,
  userCodeLetters,
} from '@homeport/contract/device/facts';
import type { DeviceAnswer, DeviceRequest } from '@homeport/contract/device/schema';
import { nameCharacters } from '@homeport/contract/fields/facts';
import type { ApiToken } from '@homeport/contract/tokens/schema';
import { ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { dropStale } from '../identity/drop-stale.ts';
import { endWaysIn } from '../identity/ways-in/end-ways-in.ts';
import { textOfStore } from '../testing/text-of-store.ts';

let api: TestApi;
let ada: TestPerson;
let eve: TestPerson;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' }, { clock: () => now });
  ada = await api.signUp('ada');
  eve = await api.signUp('eve');
});
afterAll(() => api?.[Symbol.asyncDispose]());
beforeEach(async () => {
  now = Date.now();
  for (const table of ['device_codes', 'api_tokens', 'attempts'] as const)
    await api.store.db.deleteFrom(table).execute();
});

type Codes = { device_code: string; user_code: string; verification_uri: string };
const anybody = (key: string, body: object, address = '192.0.2.7') =>
  api.visitor().call(key, body, { 'x-forwarded-for': address });
const begin = async (address?: string) =>
  bodyOf<Codes>(await anybody('POST /api/device', { name: 'laptop', platform: 'Linux x64' }, address), 200);
/** A terminal asks, as late as it has to. */
const poll = async ({ device_code }: Codes) => {
  now += 5_000;
  return bodyOf<DeviceAnswer>(await anybody('POST /api/device/token', { device_code }), 200);
};
const look = async (code: string, person = ada) =>
  bodyOf<DeviceRequest>(await person.call('POST /api/device/look', { code }), 200);
const approve = (id: string, person = ada) => person.call(`POST /api/device/${id}/approve`);
/** Everybody has just signed in. */
const proveAgain = () =>
  api.store.db
    .updateTable('auth.session')
    .set({ createdAt: new Date(now) })
    .execute();
const tokens = async (person = ada) => bodyOf<ApiToken[]>(await person.call('GET /api/tokens'), 200);

describe('a terminal', () => {
  it('gets a token of its own, once, after its person typed the code and approved', async () => {
    const codes = await begin();
    expect(codes.verification_uri).toBe(`${api.url}/device`);
    expect(await poll(codes)).toEqual({ state: 'authorization_pending' });
    const request = await look(codes.user_code);
    expect(request).toMatchObject({ name: 'laptop', platform: 'Linux x64', address: '192.0.2.7' });
    expect(request.scopes).toEqual(terminalScopes);
    expect(await poll(codes)).toEqual({ state: 'authorization_pending' });
    expect(await tokens()).toEqual([]);
    bodyOf(await approve(request.id), 200);
    const answer = await poll(codes);
    const collectedAt = now;
    if (answer.state !== 'approved') throw new Error(answer.state);
    expect(answer.account).toBe(ada.email);
    expect(await poll(codes), 'a second terminal with the same code').toEqual({ state: 'expired_token' });
    expect(await tokens()).toMatchObject([
      {
        kind: 'terminal',
        name: 'laptop',
        scopes: [...terminalScopes].sort(),
        lastFour: answer.access_token.slice(-4),
      },
    ]);
    const headers = { authorization: `Bearer ${answer.access_token}` };
    expect((await fetch(`${api.url}/api/apps`, { headers })).status).toBe(200);
    expect((await fetch(`${api.url}/api/keys`, { headers })).status).toBe(403);
    const days = (answer.expiresAt - collectedAt) / 86_400_000;
    expect(days).toBe(30);
    const [row] = await api.store.db.selectFrom('api_tokens').select('ends_latest_at').execute();
    expect(((row?.ends_latest_at ?? 0) - collectedAt) / 86_400_000).toBe(terminalDays);
  });

  it('takes the code as people type it', async () => {
    const { user_code } = await begin();
    expect(user_code).toMatch(new RegExp(`^[${userCodeLetters}]{4}-[${userCodeLetters}]{4}$`));
    expect((await look(` ${user_code.toLowerCase().replace('-', ' ')} `)).name).toBe('laptop');
  });

  it('hears that it was declined, and its code is worth nothing', async () => {
    const codes = await begin();
    const { id } = await look(codes.user_code);
    bodyOf(await ada.call(`POST /api/device/${id}/decline`), 200);
    expect(await poll(codes)).toEqual({ state: 'access_denied' });
    expect((await approve(id)).status).toBe(404);
  });

  it('that asks too often is told to slow down, and longer each time', async () => {
    const { device_code } = await begin();
    const at = async (ms: number) => {
      now += ms;
      return bodyOf<DeviceAnswer>(await anybody('POST /api/device/token', { device_code }), 200).state;
    };
    expect(await at(0)).toBe('authorization_pending');
    expect(await at(4_999)).toBe('slow_down');
    expect(await at(5_000)).toBe('slow_down');
    expect(await at(15_000)).toBe('authorization_pending');
  });

  it('that asks without a pause may ask again after a minute', async () => {
    const codes = await begin();
    const at = async (ms: number) => {
      now += ms;
      const { device_code } = codes;
      return bodyOf<DeviceAnswer>(await anybody('POST /api/device/token', { device_code }), 200).state;
    };
    for (let asked = 0; asked < 20; asked += 1) await at(0);
    expect(await at(59_999)).toBe('slow_down');
    expect(await at(60_000)).toBe('authorization_pending');
  });

  it('of two that poll with one code exactly one gets a token', async () => {
    const codes = await begin();
    bodyOf(await approve((await look(codes.user_code)).id), 200);
    const answers = await Promise.all([poll(codes), poll(codes), poll(codes)]);
    expect(answers.map(({ state }) => state).toSorted()).toEqual([
      'approved',
      'expired_token',
      'expired_token',
    ]);
    expect(await tokens()).toHaveLength(1);
  });

  it('that nobody approved in ten minutes gets nothing, also when it is approved then', async () => {
    const codes = await begin();
    const { id } = await look(codes.user_code);
    now += deviceLifeSeconds * 1_000;
    await proveAgain();
    expect((await approve(id)).status).toBe(404);
    expect(await poll(codes)).toEqual({ state: 'expired_token' });
    expect((await ada.call('POST /api/device/look', { code: codes.user_code })).status).toBe(404);
  });

  it('that was approved and did not ask in time gets nothing', async () => {
    const codes = await begin();
    bodyOf(await approve((await look(codes.user_code)).id), 200);
    now += deviceLifeSeconds * 1_000;
    expect(await poll(codes)).toEqual({ state: 'expired_token' });
    expect(await tokens()).toEqual([]);
  });

  it('gets nothing when its person ended the ways in after approving', async () => {
    const codes = await begin();
    bodyOf(await approve((await look(codes.user_code)).id), 200);
    await ada.call('POST /api/auth/request-password-reset', { email: ada.email });
    const link = await vi.waitFor(() => {
      const found = /reset-password#token=(\S+)/.exec(api.announced.join('\n'))?.[1];
      expect(found).toBeDefined();
      return found;
    }, 10_000);
    const newPassword = 'another long one';
    bodyOf(await api.visitor().call('POST /api/auth/reset-password', { token: link, newPassword }), 200);
    expect((await poll(codes)).state).not.toBe('approved');
    bodyOf(await ada.call('POST /api/auth/sign-in/email', { email: ada.email, password: newPassword }), 200);
    expect(await tokens()).toEqual([]);
  });
});

it('a terminal that fetches its token while the ways in end has none afterwards', async () => {
  const codes = await begin();
  bodyOf(await approve((await look(codes.user_code)).id), 200);
  const { polled } = await api.store.transact(ownerFromSession(ada.userId), async (scope) => {
    let isAnswered = false;
    let answer = Promise.resolve<DeviceAnswer>({ state: 'authorization_pending' });
    // Tokens have been ended by now, and codes have not.
    await endWaysIn(scope, async () => {
      answer = poll(codes).finally(() => {
        isAnswered = true;
      });
      await vi.waitFor(async () => expect(isAnswered || (await someoneWaits())).toBe(true), 30_000);
      return async () => {};
    });
    // In an object, because the answer comes only after this transaction.
    return { polled: answer };
  });
  expect(await polled).toEqual({ state: 'expired_token' });
  expect(await api.store.db.selectFrom('api_tokens').select('id').execute()).toEqual([]);
});

async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
  return rows.length > 0;
}

describe('a code', () => {
  it('belongs to whoever typed it first: nobody else sees it or decides', async () => {
    const { user_code } = await begin();
    const { id } = await look(user_code);
    expect((await eve.call('POST /api/device/look', { code: user_code })).status).toBe(404);
    expect((await approve(id, eve)).status).toBe(404);
    expect((await eve.call(`POST /api/device/${id}/decline`)).status).toBe(404);
    expect((await look(user_code)).id).toBe(id);
  });

  it('that nobody typed cannot be approved', async () => {
    await begin();
    const { id } = await api.store.db.selectFrom('device_codes').select('id').executeTakeFirstOrThrow();
    expect((await approve(id)).status).toBe(404);
  });

  it('is guessed five times a minute, right ones included', async () => {
    const { user_code } = await begin();
    const guess = () => eve.call('POST /api/device/look', { code: 'BBBB-BBBB' });
    for (let tries = 0; tries < 5; tries += 1) expect((await guess()).status).toBe(404);
    expect((await guess()).status).toBe(429);
    expect((await eve.call('POST /api/device/look', { code: user_code })).status).toBe(429);
    expect((await look(user_code)).name, 'for another person').toBe('laptop');
  });

  it.each(['', 'BDWP', 'AEIO-UAEI', 'BDWP-HQPK-B', '1234-5678'])('is none: %j', async (code) => {
    expect(await ada.call('POST /api/device/look', { code })).toMatchObject({
      status: 400,
      body: { fields: { code: expect.any(String) } },
    });
  });

  it('is approved by a person in a browser who proved lately who they are, and by no token', async () => {
    const { user_code } = await begin();
    const { id } = await look(user_code);
    await api.store.db
      .updateTable('auth.session')
      .set({ createdAt: new Date(now - 11 * 60_000) })
      .execute();
    await api.store.db.deleteFrom('session_confirmations').execute();
    expect(await approve(id)).toMatchObject({ status: 403, body: { code: 'confirmation_required' } });
    await api.store.db
      .updateTable('auth.session')
      .set({ createdAt: new Date(now) })
      .execute();
    bodyOf(await approve(id), 200);
  });

  it('is in no answer of the store, the log or a list', async () => {
    const codes = await begin();
    const { id } = await look(codes.user_code);
    bodyOf(await approve(id), 200);
    const typed = codes.user_code.replace('-', '');
    const answer = await poll(codes);
    const text = `${await textOfStore(api.store.db)} ${api.logged.join('\n')} ${JSON.stringify(await tokens())}`;
    const token = answer.state === 'approved' ? answer.access_token : '';
    for (const secret of [codes.device_code, codes.user_code, typed, token.slice('homeport_'.length)])
      expect(text).not.toContain(secret);
  });
});

describe('strangers', () => {
  const body = { name: 'x', platform: 'y' };
  const statusFor = async (address: string) => (await anybody('POST /api/device', body, address)).status;
  /** The table is full with codes from one customer's IPv6 networks. */
  const fillTable = async () => {
    const rows = Array.from({ length: deviceCodesTogether }, (_, at) => ({
      ...{ name: `row ${at}`, platform: 'y', created_at: now - deviceCodesTogether + at },
      ...{ address: `2001:db8:7:${at}::1`, network: `2001:db8:7:${at}::/64` },
      ...{ customer_network: '2001:db8:7::/48', expires_at: now + 60_000, interval_ms: 5_000 },
      ...{ device_hash: Buffer.from(`d${at}`), user_hash: Buffer.from(`u${at}`) },
    }));
    await api.store.db.insertInto('device_codes').values(rows).execute();
  };
  const names = async () => {
    const rows = await api.store.db.selectFrom('device_codes').select('name').execute();
    return rows.map(({ name }) => name);
  };

  it('have so many codes that wait for a network, however many addresses they have in it', async () => {
    for (let asked = 0; asked < deviceCodesPerNetwork; asked += 1) await begin(`2001:db8:1:2::${asked}`);
    expect(await statusFor('2001:db8:1:2:9::9')).toBe(429);
    await begin('2001:db8:1:3::1');
    for (let asked = 0; asked < deviceCodesPerNetwork; asked += 1) await begin('192.0.2.8');
    expect(await statusFor('::ffff:192.0.2.8')).toBe(429);
    await begin('192.0.2.9');
  });

  it('who fill the table from one network lose their newest code to everybody else, and none that was typed', async () => {
    await fillTable();
    const typed = `row ${deviceCodesTogether - 1}`;
    await api.store.db
      .updateTable('device_codes')
      .set({ owner_id: ada.userId })
      .where('name', '=', typed)
      .execute();
    await begin('192.0.2.10');
    await begin('2001:db8:8::1');
    const left = await names();
    expect(left).toHaveLength(deviceCodesTogether);
    expect(left.filter((name) => name === 'laptop')).toHaveLength(2);
    expect(left).toContain(typed);
    for (const lost of [2, 3]) expect(left).not.toContain(`row ${deviceCodesTogether - lost}`);
  });

  it('wait while every code of a full table was typed, until those end', async () => {
    await fillTable();
    await api.store.db.updateTable('device_codes').set({ owner_id: ada.userId }).execute();
    expect(await statusFor('192.0.2.10')).toBe(429);
    now += 60_000;
    await begin('192.0.2.10');
  });

  it('beyond their share are refused without waiting for those who begin', async () => {
    for (let asked = 0; asked < deviceCodesPerNetwork; asked += 1) await begin('192.0.2.8');
    await api.store.db.transaction().execute(async (db) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('homeport device codes', 0))`.execute(db);
      expect(await statusFor('192.0.2.8')).toBe(429);
    });
  });

  it('who ask at the same moment are counted, too', async () => {
    const asked = await Promise.all(
      Array.from({ length: deviceCodesPerNetwork + 5 }, () =>
        anybody('POST /api/device', { name: 'x', platform: 'y' }),
      ),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(deviceCodesPerNetwork);
  });

  it.each([
    ['a name that turns the direction of the text', { name: 'lap\u202etop' }],
    ['a name of two lines', { name: 'laptop\nYou asked for this' }],
    ['no name', { name: ' ' }],
    ['a name with an address', { name: 'see https://example.com' }],
    ['a name with a path', { name: 'example.com/login' }],
    ['a name with a host', { name: 'Www.example.com' }],
    ['a name with a mail address', { name: 'help@example.com' }],
    ['a name with a share', { name: '\\\\host' }],
    ['a long name', { name: 'x'.repeat(nameCharacters + 1) }],
    ['the scopes that they want', { scopes: ['apps:write'] }],
  ])('are refused with %s', async (_what, change) => {
    const body = { name: 'laptop', platform: 'Linux', ...change };
    expect((await anybody('POST /api/device', body)).status).toBe(400);
  });

  it('leave nothing behind: codes that ended are dropped', async () => {
    await begin();
    await dropStale(api.store, now + deviceLifeSeconds * 1_000);
    expect(await api.store.db.selectFrom('device_codes').select('id').execute()).toEqual([]);
  });
});

it('a terminal that was signed in is a security event with its name and address', async () => {
  const codes = await begin('198.51.100.4');
  bodyOf(await approve((await look(codes.user_code)).id), 200);
  const events = bodyOf<{ kind: string; subject: string }[]>(await ada.call('GET /api/security-events'), 200);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'terminal_signed_in', subject: '“laptop”, 198.51.100.4' }),
  );
});

it('a person at the ceiling of tokens approves no terminal', async () => {
  const codes = await begin();
  const { id } = await look(codes.user_code);
  await api.store.db
    .insertInto('api_tokens')
    .values(
      Array.from({ length: 50 }, (_, at) => ({
        ...{ owner_id: ada.userId, name: 'x', token_hash: Buffer.from(`${at}`), last_four: 'abcd' },
        ...{ scopes: ['apps:read'], created_at: now, expires_at: now + 1 },
      })),
    )
    .execute();
  expect(await approve(id)).toMatchObject({ body: { code: 'limit_reached' } });
});
