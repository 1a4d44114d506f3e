import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './testing.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('subscribers of several channels at once listen in turn, as the driver wants', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const { listener } = database.store;
  const leaves = await Promise.all([
    listener.on('changed', () => {}),
    listener.on('session', () => {}),
    listener.on('reports', () => {}),
    listener.on('reports', () => {}),
  ]);
  // The process tells its warnings in the next turn of the event loop.
  await new Promise(setImmediate);
  process.off('warning', note);
  expect(warnings).toEqual([]);
  for (const leave of leaves) leave();
});

test('listens again after its connection ended, and reports the reconnect', async () => {
  const { store } = database;
  const heard: string[] = [];
  let reconnects = 0;
  await store.listener.on('reports', ({ monitorIds }) => heard.push(...monitorIds));
  store.listener.onReconnect(() => {
    reconnects += 1;
  });
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'homeport listener'`.execute(store.db);
  expect(ended.rows).toHaveLength(1);
  await expect.poll(() => reconnects).toBe(1);
  await store.notify('reports', { monitorIds: ['m1'] });
  await expect.poll(() => heard).toEqual(['m1']);
});

test('a subscriber that left gets no further message', async () => {
  const { store } = database;
  const left: string[] = [];
  const stayed: string[] = [];
  const leave = await store.listener.on('reports', ({ monitorIds }) => left.push(...monitorIds));
  await store.listener.on('reports', ({ monitorIds }) => stayed.push(...monitorIds));
  leave();
  await store.notify('reports', { monitorIds: ['m2'] });
  await expect.poll(() => stayed).toEqual(['m2']);
  expect(left).toEqual([]);
});
