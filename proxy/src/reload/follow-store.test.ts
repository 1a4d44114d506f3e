import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPurge, notifyPlanes } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Follower, followStore } from './follow-store.ts';
import { createSiteTable, type SiteTable } from './site-table.ts';

let database: TestDatabase;
let owner: string;
let folder: string;
let followers: Follower[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-plane-'));
  database = await testDatabase();
  const user = await database.store.db
    .insertInto('auth.user')
    .values({ name: 'ada', email: 'ada@example.test', emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  owner = user.id;
});
afterEach(async () => {
  for (const follower of followers) await follower.close();
  followers = [];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function plant(domain: string): Promise<string> {
  const { id } = await database.store.db
    .insertInto('proxies')
    .values({
      ...{ owner_id: owner, name: domain, domain, source: 'https://s.test', created_at: 1, proof: domain },
      ...{ holds: true, allowed: true },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function follow(
  file: string,
  more: { isAway?: boolean; purged?: string[] } = {},
): Promise<{ table: SiteTable; follower: Follower }> {
  const table = createSiteTable();
  const follower = await followStore({
    ...{
      table,
      snapshotFile: join(folder, file),
      clock: Date.now,
      purge: ({ startsWith }) => void more.purged?.push(startsWith),
      report: () => undefined,
    },
    openStore: async () => {
      if (more.isAway) throw new Error('away');
      return database.store;
    },
    times: { snapshotMs: 1, retryMs: 10 },
  });
  followers.push(follower);
  return { table, follower };
}

/** Changes a proxy as the console does, and resolves when the planes were told. */
async function change(id: string, values: { source?: string; domain?: string }): Promise<void> {
  let leave: (() => void) | undefined;
  const told = new Promise<void>((resolve) => {
    void database.store.listener
      .on('site', () => resolve())
      .then((left) => {
        leave = left;
      });
  });
  const { db } = database.store;
  await db.updateTable('proxies').set(values).where('id', '=', id).returning(notifyPlanes).execute();
  await told;
  leave?.();
}

/** Until the returned function is called, the store answers no question of a plane. */
function holdReadings(): () => void {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const query = vi.spyOn(database.store.pool, 'query').mockImplementation(async () => {
    await held;
    throw new Error('The store did not answer.');
  });
  return () => {
    query.mockRestore();
    goOn();
  };
}

it('knows the account of each site, by notification, by reading and from the snapshot', async () => {
  const first = await follow('owner');
  const id = await plant('owned.test');
  const ownerOf = (table: SiteTable) => table.find('owned.test')?.owner;
  await expect.poll(() => ownerOf(first.table)).toBe(owner);
  const goOn = holdReadings();
  await change(id, { source: 'https://new.test' });
  await expect.poll(() => first.table.find('owned.test')?.rules.at(-1)?.target.host).toBe('new.test');
  expect(ownerOf(first.table)).toBe(owner);
  goOn();
  await first.follower.close();
  const { table } = await follow('owner', { isAway: true });
  expect(ownerOf(table)).toBe(owner);
});

it('serves changed rules as soon as it is told, before it has read them', async () => {
  const { table } = await follow('told');
  const id = await plant('told.test');
  const host = () => table.find('told.test')?.rules.at(-1)?.target.host;
  await expect.poll(host).toBe('s.test');
  const goOn = holdReadings();
  await change(id, { source: 'https://new.test' });
  await expect.poll(host).toBe('new.test');
  goOn();
});

it('serves a new name only when it has read that it may', async () => {
  const { table, follower } = await follow('renamed');
  const id = await plant('old-name.test');
  await expect.poll(() => table.find('old-name.test')).not.toBeNull();
  const goOn = holdReadings();
  await change(id, { domain: 'new-name.test' });
  expect(table.find('new-name.test')).toBeNull();
  goOn();
  await follower.reload();
  expect(table.find('new-name.test')).not.toBeNull();
});

it('tells no rules that are too long for a message, and reads them', async () => {
  const { table } = await follow('long');
  const id = await plant('long.test');
  await expect.poll(() => table.find('long.test')).not.toBeNull();
  const told: unknown[] = [];
  const leave = await database.store.listener.on('site', (site) => told.push(site));
  const target = 'https://s.test';
  const rules = Array.from({ length: 100 }, (_, index) => ({
    id: `r${index}`,
    path: `/long-${index}`,
    type: 'simple',
    target,
  }));
  await database.store.db
    .updateTable('proxies')
    .set({ records: JSON.stringify(rules) })
    .where('id', '=', id)
    .returning(notifyPlanes)
    .execute();
  await expect.poll(() => table.find('long.test')?.rules[0]?.base).toBe('/long-0');
  expect(told).toEqual([]);
  leave();
});

it('hears of a new proxy, of changed rules, and of a proxy that goes', async () => {
  const { table } = await follow('hears');
  const id = await plant('heard.test');
  await expect.poll(() => table.find('heard.test')?.rules.at(-1)?.target.host).toBe('s.test');
  const { db } = database.store;
  await db.updateTable('proxies').set({ source: 'https://two.test' }).where('id', '=', id).execute();
  await expect.poll(() => table.find('heard.test')?.rules.at(-1)?.target.host).toBe('two.test');
  const gone: string[] = [];
  table.onGone((site) => gone.push(site));
  await db.deleteFrom('proxies').where('id', '=', id).execute();
  await expect.poll(() => table.find('heard.test')).toBeNull();
  expect(gone).toEqual([id]);
});

it('keeps the last good rules, and says why, when the newest cannot be served', async () => {
  const { table } = await follow('last-good');
  const id = await plant('good.test');
  await expect.poll(() => table.find('good.test')).not.toBeNull();
  const { db } = database.store;
  const told: (string | null)[] = [];
  await database.store.listener.on('changed', ({ topic, id: changed }) => {
    if (topic === 'proxies') told.push(changed);
  });
  await db.updateTable('proxies').set({ source: 'gopher://x' }).where('id', '=', id).execute();
  const refusal = async () =>
    (await db.selectFrom('proxies').select('refusal').where('id', '=', id).executeTakeFirstOrThrow()).refusal;
  await expect.poll(refusal).toBe('source source target_scheme');
  await expect.poll(() => told).toEqual([id]);
  expect(table.find('good.test')?.rules.at(-1)?.target.host).toBe('s.test');
  await db.updateTable('proxies').set({ source: 'https://three.test' }).where('id', '=', id).execute();
  await expect.poll(refusal).toBeNull();
  await expect.poll(() => told).toEqual([id, id]);
  expect(table.find('good.test')?.rules.at(-1)?.target.host).toBe('three.test');
});

it('serves from its snapshot without the store, and drops what went meanwhile when the store is back', async () => {
  const [kept, gone] = [await plant('kept.test'), await plant('gone.test')];
  const first = await follow('snapshot');
  await expect.poll(() => first.table.size).toBeGreaterThanOrEqual(2);
  await first.follower.close();
  expect((await stat(join(folder, 'snapshot'))).mode & 0o777).toBe(0o600);

  const away = await follow('snapshot', { isAway: true });
  expect(away.table.find('kept.test')?.id).toBe(kept);
  expect(away.table.find('gone.test')?.id).toBe(gone);
  expect(away.follower.state()).toMatchObject({ store: 'unreachable' });
  await expect(away.follower.reload()).rejects.toThrow();

  await database.store.db.deleteFrom('proxies').where('id', '=', gone).execute();
  const back = await follow('snapshot');
  await expect.poll(() => back.follower.state().store).toBe('reached');
  expect(back.table.find('gone.test')).toBeNull();
  expect(back.table.find('kept.test')?.id).toBe(kept);
});

it('hears of what was purged since it began to serve, although the store was away then', async () => {
  const { db } = database.store;
  await addPurge(db, 'https://old.test/', Date.now() - 7_200_000);
  const purged: string[] = [];
  const plane = { isAway: true, purged };
  const { follower } = await follow('purges', plane);
  await addPurge(db, 'https://new.test/', Date.now());
  plane.isAway = false;
  await expect.poll(() => follower.state().store).toBe('reached');
  expect(purged).toEqual(['https://new.test/']);
});

it('hears of many purges at once', async () => {
  const purged: string[] = [];
  const { follower } = await follow('many-purges', { purged });
  await expect.poll(() => follower.state().store).toBe('reached');
  await follower.reload();
  purged.length = 0;
  await database.store.pool.query(
    `insert into purges (starts_with, created_at) select 'https://' || n || '.test/', 1 from generate_series(1, 2100) n`,
  );
  await follower.reload();
  expect(purged).toHaveLength(2_100);
});
