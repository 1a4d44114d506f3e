import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import { renderTimes, type StatusFile } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openPageMemory } from './page-memory.ts';
import { renderFiles } from './render-files.ts';
import { plantCheckedApp, plantPage } from './testing.ts';

let database: TestDatabase;
const log = { error: vi.fn() };
const renderedAt = Date.now();
const slugs = Array.from({ length: statusPageLimits.readsAtOnce + 2 }, (_, index) => `page-${index}`);

beforeAll(async () => {
  database = await testDatabase();
  const { store } = database;
  for (const [createdAt, slug] of slugs.entries()) {
    const made = await plantCheckedApp(store, { now: Date.now() });
    await plantRendered(await plantPage(store, { ...made, slug, createdAt }), slug);
  }
});
afterAll(() => database?.close());
afterEach(() => vi.restoreAllMocks());

/** A page of 1,000 bytes that was rendered now. */
async function plantRendered(page_id: string, slug: string): Promise<void> {
  const { db } = database.store;
  const file = { body: Buffer.alloc(600), gzip: Buffer.alloc(400), etag: `"${slug}"` };
  await db
    .insertInto('status_renders')
    .values({ page_id, file: 'page', ...file })
    .execute();
  await db.updateTable('status_pages').set({ rendered_at: renderedAt }).where('id', '=', page_id).execute();
}

const idOf = (slug: string) =>
  database.store.db
    .selectFrom('status_pages')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();

/** A memory that has read what fits, and the queries that it makes from now on. */
async function open(most: number, more: { mostOfOwner?: number; clock?: () => number } = {}) {
  const { pool, listener } = database.store;
  const query = vi.spyOn(pool, 'query');
  const memory = await openPageMemory({
    pool,
    listener,
    log,
    most,
    publicUrl: 'https://console.example.com',
    clock: () => renderedAt,
    ...more,
  });
  // Messages of the test before may come late. They come in order, and pages are read in the order of their messages: once a page that
  // there is not was read, so were all that waited.
  const last = randomUUID();
  await database.store.notify('status_render', { page: last });
  await expect.poll(() => JSON.stringify(query.mock.calls)).toContain(last);
  await Promise.all(query.mock.results.map(({ value }) => value));
  await setImmediate();
  query.mockClear();
  return { memory, query, isHeld: (slug: string) => !(memory.find(slug) instanceof Promise) };
}

test('a request costs no query while memory holds the page, and none where there is no page', async () => {
  const { memory, query } = await open(1_000_000);
  for (const slug of slugs) expect(memory.find(slug)).toMatchObject({ bytes: 1_000 });
  expect(memory.find('nobody')).toBeNull();
  expect(query).not.toHaveBeenCalled();
  await memory.close();
});

test('beyond its share the page goes that was asked for longest ago, and is read when somebody asks', async () => {
  const { memory, isHeld } = await open(2_000);
  // The first ones were read at the start. The second one is asked for before the first one.
  expect([isHeld('page-1'), isHeld('page-0')]).toEqual([true, true]);
  expect(await memory.find('page-2')).toMatchObject({ bytes: 1_000 });
  expect([isHeld('page-2'), isHeld('page-0')]).toEqual([true, true]);
  const again = memory.find('page-1');
  expect(again).toBeInstanceOf(Promise);
  await again;
  await memory.close();
});

test('a render of a page that nobody asks for moves none that somebody does, and a full memory reads nothing for it', async () => {
  const { memory, query, isHeld } = await open(2_000);
  const { store } = database;
  const { id } = await idOf('page-5');
  await store.notify('status_render', { page: id });
  await store.notify('status_render', { page: (await idOf('page-0')).id });
  // The page that is held is read, and the one that is not was looked at before.
  await expect.poll(() => query.mock.calls).toHaveLength(1);
  expect([isHeld('page-0'), isHeld('page-1')]).toEqual([true, true]);
  await memory.close();
});

test('the pages of one account push out each other, and no page of somebody else', async () => {
  const { store } = database;
  const made = await plantCheckedApp(store, { now: Date.now() });
  const own = ['own-0', 'own-1', 'own-2'];
  for (const slug of own)
    await plantRendered(await plantPage(store, { ...made, slug, createdAt: 100 }), slug);
  const { memory, isHeld } = await open(100_000, { mostOfOwner: 2_000 });
  for (const slug of own) await memory.find(slug);
  expect([isHeld('own-2'), isHeld('own-1'), isHeld('page-0')]).toEqual([true, true, true]);
  expect(isHeld('own-0')).toBe(false);
  await memory.find('own-0');
  await memory.close();
  await store.db.deleteFrom('status_pages').where('slug', 'in', own).execute();
});

test('a page that nobody rendered for fifteen minutes says so in its page, JSON and badge, until it is rendered', async () => {
  const { store } = database;
  let now = renderedAt + renderTimes.stale;
  const { memory } = await open(1_000_000, { clock: () => now });
  const shown = async () => {
    const page = await memory.find('whole');
    if (!page || page === 'busy') throw new Error('no page');
    const text = (file: StatusFile) => String(page.files.get(file)?.body);
    const state = z.object({ state: z.string(), components: z.array(z.object({ state: z.string() })) });
    const { state: all, components } = state.parse(JSON.parse(text('status.json')));
    return {
      page: text('page'),
      badge: text('badge.svg'),
      states: [all, ...components.map((each) => each.state)],
    };
  };
  const made = await plantCheckedApp(store, { now });
  const id = await plantPage(store, { ...made, slug: 'whole', createdAt: 200 });
  const up = { name: 'Shop', group: '', state: 'up' as const, days: [{ up: 1, down: 0, planned: false }] };
  const files = await renderFiles(
    {
      ...{ id, slug: 'whole', title: 'Services', createdAt: 1, from: 0, at: renderedAt, posts: [] },
      components: [up, up],
    },
    'https://console.example.com',
  );
  await store.db.updateTable('status_pages').set({ rendered_at: renderedAt }).where('id', '=', id).execute();
  await store.db
    .insertInto('status_renders')
    .values(files.map((file) => ({ page_id: id, ...file })))
    .execute();
  await expect.poll(async () => (await shown()).states).toEqual(['up', 'up', 'up']);
  expect((await shown()).page).toContain('Everything is up');
  now += 1;
  const stale = await shown();
  expect(stale.states).toEqual(['unknown', 'unknown', 'unknown']);
  expect(stale.page).toContain('Services: Unknown');
  expect(stale.page).toContain('Nothing was found out since');
  expect(stale.page).not.toContain('Everything is up');
  expect(stale.badge).toContain('>unknown</text>');
  expect(memory.find('whole')).toMatchObject({ isStale: true });
  // Rendered again without a change: no file is written, so the time alone is told.
  await store.db.updateTable('status_pages').set({ rendered_at: now }).where('id', '=', id).execute();
  await expect.poll(async () => (await shown()).states).toEqual(['up', 'up', 'up']);
  await memory.close();
  await store.db.deleteFrom('status_pages').where('id', '=', id).execute();
});

test('no more are read at once than the share, and who comes beyond is told so', async () => {
  const { memory } = await open(1);
  expect(await memory.find('page-0')).toMatchObject({ bytes: 1_000 });
  const found = slugs.slice(1).map((slug) => memory.find(slug));
  expect(found.filter((each) => each instanceof Promise)).toHaveLength(statusPageLimits.readsAtOnce);
  expect(found.at(-1)).toBe('busy');
  await Promise.all(found);
  await memory.close();
});

test('stays while the store cannot be read', async () => {
  const { memory, query } = await open(1_000_000);
  const { store } = database;
  const { id } = await idOf('page-0');
  query.mockImplementation(() => Promise.reject(new Error('away')) as never);
  await store.notify('status_render', { page: id });
  await expect.poll(() => log.error.mock.calls).not.toEqual([]);
  expect(memory.find('page-0')).toMatchObject({ bytes: 1_000 });
  query.mockRestore();
  // Removed without a message, as where the message came while nothing could be read: the repeated read finds that.
  await store.pool.query(
    "set session_replication_role = replica; update status_pages set published = false where slug = 'page-0'; reset session_replication_role",
  );
  await vi.waitFor(() => expect(memory.find('page-0')).toBeNull(), { timeout: 15_000 });
  await memory.close();
});
