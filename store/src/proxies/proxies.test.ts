import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing.ts';
import { nameIsFree } from './names.ts';
import { addPurge, latestPurge, readPurges } from './purges.ts';
import { readServed, readSiteChanges } from './read-sites.ts';
import { addProxyUse, readProxyUse } from './use.ts';

let database: TestDatabase;
let ada: string;
let eve: string;
beforeAll(async () => {
  database = await testDatabase();
  [ada, eve] = await Promise.all([plantUser('ada'), plantUser('eve')]);
});
afterAll(() => database.close());

async function plantUser(name: string): Promise<string> {
  const { id } = await database.store.db
    .insertInto('auth.user')
    .values({ name, email: `${name}@example.test`, emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function plantProxy(
  owner: string,
  domain: string,
  more: { holds?: boolean; allowed?: boolean } = {},
): Promise<string> {
  const { id } = await database.store.db
    .insertInto('proxies')
    .values({
      ...{ owner_id: owner, name: domain, domain, source: 'https://s.test', created_at: 1 },
      ...{ proof: randomBytes(8).toString('hex'), holds: true, allowed: true, ...more },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const changesAbove = (version: number) => readSiteChanges(database.store.pool, version);
const newest = async () => (await changesAbove(0)).version;

describe('changes for the data plane', () => {
  it('tell of a new proxy, of changed rules, and of nothing that the plane does not serve', async () => {
    const before = await newest();
    const id = await plantProxy(ada, 'one.test');
    const { db } = database.store;
    const first = await changesAbove(before);
    expect(first.sites).toMatchObject([{ id, domain: 'one.test', served: true }]);
    await db.updateTable('proxies').set({ name: 'another', checked_at: 5 }).where('id', '=', id).execute();
    expect((await changesAbove(first.version)).sites).toEqual([]);
    await db.updateTable('proxies').set({ source: 'https://two.test' }).where('id', '=', id).execute();
    const second = await changesAbove(first.version);
    expect(second.sites.map(({ text }) => JSON.parse(text))).toEqual([
      { source: 'https://two.test', records: [] },
    ]);
    expect((await readServed(database.store.pool)).get(id)).toBe(second.version);
    await db.updateTable('proxies').set({ allowed: false }).where('id', '=', id).execute();
    expect((await changesAbove(second.version)).sites).toMatchObject([{ id, served: false, text: '' }]);
  });

  it('tell of a name that was deleted or left', async () => {
    const { db } = database.store;
    const id = await plantProxy(ada, 'gone.test');
    const before = await newest();
    await db.updateTable('proxies').set({ domain: 'moved.test' }).where('id', '=', id).execute();
    await db.deleteFrom('proxies').where('id', '=', id).execute();
    const { freed } = await changesAbove(before);
    expect(freed.map(({ domain }) => domain)).toEqual(['gone.test', 'moved.test']);
  });

  it('arrive as a notification', async () => {
    const heard: number[] = [];
    await database.store.listener.on('proxy', ({ version }) => heard.push(version));
    await plantProxy(ada, 'loud.test');
    await expect.poll(() => heard.length).toBe(1);
  });
});

describe('a name', () => {
  it('is held by one proxy, and locked for others after its end', async () => {
    const { db } = database.store;
    const now = Date.now();
    const id = await plantProxy(ada, 'mine.test');
    await expect(plantProxy(eve, 'mine.test')).rejects.toThrow(/proxies_holder/);
    await plantProxy(eve, 'mine.test', { holds: false, allowed: false });
    await db.deleteFrom('proxies').where('id', '=', id).execute();
    const free = (ownerId: string, at: number) => nameIsFree(db, { ownerId, domain: 'mine.test', now: at });
    expect(await free(ada, now)).toBe(true);
    expect(await free(eve, now)).toBe(false);
    expect(await free(eve, now + 31 * 86_400_000)).toBe(true);
  });
});

it('keeps purges in order, for planes that were away', async () => {
  const { db, pool } = database.store;
  const before = await latestPurge(pool, Number.MAX_SAFE_INTEGER);
  await addPurge(db, 'http://one.test/', 1);
  await addPurge(db, 'https://one.test/', 2);
  expect((await readPurges(pool, before)).map(({ startsWith }) => startsWith)).toEqual([
    'http://one.test/',
    'https://one.test/',
  ]);
  const [first] = await readPurges(pool, before);
  expect(await latestPurge(pool, 2)).toBe(first?.version);
});

it('adds counts up for minutes, hours, days and months', async () => {
  const { db, pool } = database.store;
  const proxyId = await plantProxy(ada, 'counted.test');
  const at = Date.UTC(2025, 10, 22, 20, 5);
  const use = {
    proxyId,
    rule: 'source',
    at,
    requests: 2,
    errors: 1,
    hits: 0,
    bytes: 10,
    latencyMs: 7,
    latencyMaxMs: 5,
  };
  await addProxyUse(pool, [use, { ...use, at: at + 60_000, latencyMaxMs: 9 }]);
  await addProxyUse(pool, [use, { ...use, proxyId: '00000000-0000-4000-8000-000000000000' }]);
  const read = (horizon: 'all' | 'hourly' | 'monthly') => readProxyUse(db, { proxyId, horizon, since: 0 });
  expect((await read('all')).map(({ requests }) => requests)).toEqual([4, 2]);
  expect(await read('hourly')).toMatchObject([
    { at: Date.UTC(2025, 10, 22, 20), requests: 6, errors: 3, latencyMaxMs: 9 },
  ]);
  expect(await read('monthly')).toMatchObject([{ at: Date.UTC(2025, 10, 1), bytes: 30 }]);
});
