import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { authTable } from '../identity/auth-table.ts';
import { namedKind, type Planted, plantOneOfEach } from '../testing/plant.ts';
import { wholeBodies } from '../testing/whole-bodies.ts';
import { startTestApi, type TestApi, type TestPerson } from './testing.ts';

/** Derived from the route tables. The test tries each leaf of each input, on existing records. */
let api: TestApi;
let cloudflare: CloudflareProcess;
beforeAll(async () => {
  cloudflare = await startCloudflare();
  api = await startTestApi({ cloudflareUrl: cloudflare.url });
}, 120_000);
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

const changing = Object.entries<RouteSchemas>(routes)
  .filter(([, { body }]) => body !== undefined)
  .map(([key]) => key as RouteKey);

let callers = 0;
/** Each call comes from another address, because this test is not about the limits by address. */
function from(): Record<string, string> {
  callers += 1;
  return { 'x-forwarded-for': `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}` };
}

const authBodies: Record<keyof typeof authTable, Record<string, unknown>> = {
  'POST /api/auth/sign-up/email': {
    ...{ name: 'Eve', email: 'eve@example.com', password: 'long enough to be taken', invitation: 'a-token' },
  },
  'POST /api/auth/sign-in/email': {
    email: 'nora@example.com',
    password: 'not the right one',
    rememberMe: true,
  },
  'POST /api/auth/sign-in/github/begin': {},
  'POST /api/auth/sign-in/passkey/begin': {},
  'POST /api/auth/sign-in/passkey': {
    id: 'AAAA',
    clientDataJSON: 'AAAA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
  },
  'POST /api/auth/sign-in/github': { code: 'a-code', state: 'a-state', invitation: 'a-token' },
  'POST /api/auth/two-factor/verify-totp': { code: '123456' },
  'POST /api/auth/two-factor/verify-backup-code': { code: 'abcde-fghij' },
  'POST /api/auth/two-factor/enable': { password: 'not the right one' },
  'POST /api/auth/two-factor/generate-backup-codes': { password: 'not the right one' },
  'POST /api/auth/two-factor/disable': { password: 'not the right one' },
  'POST /api/auth/sign-out': {},
  'POST /api/auth/send-verification-email': { email: 'nora@example.com' },
  'POST /api/auth/verify-email': { token: 'a-token' },
  'POST /api/auth/confirm-email-change': { token: 'a-token' },
  'POST /api/auth/request-password-reset': { email: 'nora@example.com' },
  'POST /api/auth/reset-password': { newPassword: 'long enough to be taken', token: 'a-token' },
};

/** Values that PostgreSQL, JSON or Unicode cannot take, and numbers that no column holds. */
const unstorable = ['\0', 'a\0b', '\ud800', 'a\udc00'];
const extremes = [
  ...[99_999_999_999_999, -2_147_483_649, 1e308, 0.1],
  ...['x'.repeat(60_000), '\u202e', ...unstorable],
];

/** The same value with each of its leaves, at whatever depth, replaced by another. */
function* spoiled(value: unknown, by: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries())
      for (const other of spoiled(each, by)) yield value.with(at, other);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      for (const other of spoiled(each, by)) yield { ...value, [name]: other };
      if (typeof by === 'string') yield { ...value, [by]: each };
    }
  } else yield by;
}

describe('for a person with one record of each kind', () => {
  let nora: TestPerson;
  let things: Planted;
  beforeAll(async () => {
    nora = await api.signUp('nora');
    things = await plantOneOfEach(api.store.db, nora.userId);
  });
  const pathOf = (key: string) => {
    const kind = namedKind(key);
    if (!kind) return key;
    const address = key.replace(':id', things[kind]).replace(':rule', things.rules);
    return address.replace(':dump', crypto.randomUUID()).replace(':record', '0'.repeat(32));
  };
  /** Ends a stream once it has begun to answer. */
  const statusOf = async (key: string, headers: Record<string, string> = {}) => {
    const gone = new AbortController();
    const { status } = await nora.open(key, { headers: { ...from(), ...headers }, signal: gone.signal });
    gone.abort();
    return status;
  };

  test.each(changing)('%s refuses extreme values that the store cannot keep', async (key) => {
    for (const extreme of extremes) {
      for (const body of spoiled(wholeBodies[key], extreme)) {
        const { status, body: answer } = await nora.call(pathOf(key), body, from());
        const tried = `${JSON.stringify(body).slice(0, 200)} → ${JSON.stringify(answer)}`;
        expect(status, tried).toBeLessThan(500);
        if (unstorable.includes(extreme as string)) expect(status, tried).toBe(400);
      }
    }
  });

  test.each(Object.keys(authTable))('%s refuses extreme values too', async (key) => {
    const body = authBodies[key as keyof typeof authTable];
    for (const extreme of extremes) {
      for (const other of spoiled(body, extreme)) {
        const { status, body: answer } = await api.visitor().call(key, other, from());
        const tried = `${JSON.stringify(other).slice(0, 200)} → ${JSON.stringify(answer)}`;
        expect(status, tried).toBeLessThan(500);
      }
    }
  });

  const asked = Object.entries<RouteSchemas>(routes).flatMap(([key, { query, kind }]) =>
    query instanceof z.ZodObject && kind !== 'socket'
      ? Object.keys(query.shape).map((name) => [key, name] as const)
      : [],
  );
  test.each(asked)('%s answers a spoiled %s with less than 500', async (key, name) => {
    for (const extreme of extremes) {
      const query = new URLSearchParams({ [name]: String(extreme) });
      expect(
        await statusOf(`${pathOf(key)}?${query}`, {}),
        `${name}=${String(extreme).slice(0, 60)}`,
      ).toBeLessThan(500);
    }
  });

  test.each(Object.keys(routes).filter((key) => key.includes('/:')))(
    '%s finds nothing under an invalid id',
    async (key) => {
      for (const id of [
        '%00',
        'a%00b',
        '%ED%A0%80',
        '99999999999999',
        '-1',
        'x'.repeat(4_000),
        '..',
        '%2e%2e%2f',
      ])
        expect(await statusOf(key.replace(/:\w+/, id)), id).toBeLessThan(500);
    },
  );

  const streams = Object.entries<RouteSchemas>(routes).filter(([, { kind }]) => kind === 'stream');
  test.each(streams.map(([key]) => key))('%s takes an unknown last event', async (key) => {
    for (const last of [
      '99999999999999',
      '2147483648',
      '1e308',
      '-1',
      'a\u00ffb',
      'open:web=zzzzzzzzz.zzzz.zzzzzz',
      'x'.repeat(9_000),
    ]) {
      const status = await statusOf(pathOf(key), { 'last-event-id': last });
      expect(status, last.slice(0, 40)).toBeLessThan(500);
    }
    expect(api.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
