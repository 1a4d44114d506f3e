import { randomBytes } from 'node:crypto';
import type { Store } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../http/log.ts';
import { type Auth, createAuth } from './auth.ts';
import { findLivingSession } from './living-session.ts';
import { readSession } from './session.ts';

const hourMs = 3_600_000;
let database: Awaited<ReturnType<typeof testDatabase>>;
let auth: Auth;
let cookie: string;
beforeAll(async () => {
  database = await testDatabase();
  auth = createAuth({
    store: database.store,
    publicUrl: 'http://127.0.0.1:7070',
    secret: randomBytes(32).toString('base64'),
    mailer: { send: async () => '', close: () => {} },
    log: createLog('silent'),
    sessionsPerPerson: 9,
    limits: { take: async () => 0 },
    inBackground: () => {},
    onFirstProof: async () => {},
  });
  const { headers } = await auth.api.signUpEmail({
    body: { name: 'Ada', email: 'ada@example.com', password: 'a long password' },
    returnHeaders: true,
  });
  cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
});
afterAll(() => database[Symbol.asyncDispose]());

const find = (cookies: string) => findLivingSession(auth, database.store, cookies);
const setExpiry = (expiresAt: Date) =>
  database.store.db.updateTable('auth.session').set({ expiresAt }).execute();
/** Counts the statements that a function runs. */
async function countQueries(work: (store: Pick<Store, 'db'>) => Promise<unknown>): Promise<number> {
  let queries = 0;
  const { pool } = database.store;
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  prototype.query = function count(...given) {
    queries += 1;
    return query.apply(this, given);
  };
  await work(database.store).finally(() => {
    prototype.query = query;
  });
  return queries;
}

beforeEach(() => setExpiry(new Date(Date.now() + 7 * 24 * hourMs)));

describe('a living session', () => {
  it('is read with one query, as the library reads it', async () => {
    const found = await auth.api.getSession({ headers: new Headers({ cookie }) });
    expect(await find(`theme=dark; ${cookie}; other=1`)).toEqual({
      sessionId: found?.session.id,
      userId: found?.user.id,
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: false,
    });
    expect(await countQueries((store) => readSession(auth, store, { headers: { cookie } }))).toBe(1);
  });
  it('is prolonged by the library once a day has passed', async () => {
    const today = Date.now() + (6 * 24 + 1) * hourMs;
    await setExpiry(new Date(today));
    expect(await find(cookie)).not.toBeNull();
    await setExpiry(new Date(today - 2 * hourMs));
    expect(await find(cookie)).toBeNull();
    const prolonged = await readSession(auth, database.store, { headers: { cookie } });
    expect(prolonged?.cookies).toEqual([expect.stringContaining(cookie)]);
    expect(await find(cookie)).not.toBeNull();
  });
});

describe('what is no living session', () => {
  const cases: [string, () => string][] = [
    ['another cookie', () => cookie.replace('session_token', 'session_data')],
    ['a token of somebody else under this signature', () => cookie.replace('=', '=x')],
    [
      'a signature of another secret',
      () => `${cookie.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}%3D`,
    ],
    ['no signature', () => cookie.split('.').slice(0, 2).join('.')],
    ['a cookie that is sent twice', () => `${cookie}; ${cookie}`],
    ['broken percent-encoding', () => `${cookie}%`],
    ['nothing', () => ''],
  ];
  it.each(cases)('is left to the library: %s', async (_what, cookies) => {
    expect(await find(cookies())).toBeNull();
  });
  it('is a session that has expired, and nobody is signed in by it', async () => {
    await setExpiry(new Date(Date.now() - 1));
    expect(await readSession(auth, database.store, { headers: { cookie } })).toBeNull();
  });
});
