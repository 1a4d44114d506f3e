import { afterEach, expect, test, vi } from 'vitest';
import { readMigrations } from './read-migrations.ts';
import { testDatabase } from './testing.ts';
import { watchSchema } from './watch-schema.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

async function watch() {
  const { store, close } = await testDatabase();
  closing.push(close);
  const watched = await watchSchema(store, (error) => {
    throw error;
  });
  closing.push(watched.stop);
  const add = () =>
    store.pool.query(`insert into migration (number, name, checksum) values (9999, 'newer', '')`);
  return { store, newer: watched.newer, stop: watched.stop, add };
}

const refusal = { code: 'newer_schema', message: expect.stringContaining('schema 9999') };

test('a console hears of a migration that it does not know', async () => {
  const { store, newer, add } = await watch();
  await add();
  await store.notify('schema', { number: 9999 });
  expect(await newer).toMatchObject(refusal);
});

test('a console whose notification was lost finds the migration within half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { newer, add } = await watch();
  await add();
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect(await newer).toMatchObject(refusal);
});

test('a console goes on when a newer program only added tables', async () => {
  const { store, newer, stop } = await watch();
  await store.pool.query(
    `insert into migration (number, name, checksum, needs) values (9999, 'newer', '', 0)`,
  );
  await store.notify('schema', { number: 9999 });
  const heard = new Promise<void>((resolve) => void store.listener.on('schema', () => resolve()));
  await store.notify('schema', { number: 9999 });
  await heard;
  await stop();
  expect(await Promise.race([newer, Promise.resolve('none')])).toBe('none');
});

test('a console goes on when its own migrations are told of', async () => {
  const { store, newer, stop } = await watch();
  const last = (await readMigrations()).at(-1)?.number ?? 0;
  await store.notify('schema', { number: last });
  const heard = new Promise<void>((resolve) => void store.listener.on('schema', () => resolve()));
  await store.notify('schema', { number: last });
  await heard;
  // Waits for the looks that these began.
  await stop();
  expect(await Promise.race([newer, Promise.resolve('none')])).toBe('none');
});
