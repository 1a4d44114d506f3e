import { afterEach, expect, test } from 'vitest';
import { openForBackup, openForRestore } from './archive/open-database.ts';
import { openStore } from './connect.ts';
import { notify } from './listen.ts';
import { claimLook } from './notices/claim-look.ts';
import { administer, startTransactionPooler, testDatabase, testServerUrl, withDatabase } from './testing.ts';

const disposing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of disposing.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

async function startPooled() {
  const database = await testDatabase();
  disposing.push(database);
  const pooler = await startTransactionPooler(database.url);
  disposing.push(pooler);
  return { direct: database.url, pooled: pooler.url };
}

test('the stand-in is a pooler: a prepared statement, a lock of a session and LISTEN are lost in it', async () => {
  const { pooled } = await startPooled();
  await administer(pooled, async (client) => {
    const heard: string[] = [];
    client.on('notification', ({ channel }) => heard.push(channel));
    await client.query('listen changed');
    await client.query('select pg_advisory_lock(1)');
    expect((await client.query('select pg_try_advisory_lock(1) as free')).rows).toEqual([{ free: false }]);
    const named = { name: 'one', text: 'select 1 as one' };
    await client.query(named);
    await expect(client.query(named)).rejects.toMatchObject({ code: '26000' });
    await client.query(`notify changed, '{}'`);
    await client.query('select 1');
    expect(heard).toEqual([]);
  });
});

test('the address of a pooler alone is refused before anything is changed', async () => {
  const { direct, pooled } = await startPooled();
  await administer(direct, (client) => client.query('drop table migration cascade'));
  const refused = openStore({ url: pooled });
  await expect(refused).rejects.toMatchObject({
    code: 'pooled',
    message: expect.stringContaining('DATABASE_URL without it, names a pooler'),
    remedy: expect.stringContaining('DATABASE_URL_DIRECT'),
  });
  await administer(direct, async (client) => {
    expect((await client.query(`select to_regclass('migration') as found`)).rows).toEqual([{ found: null }]);
  });
  for (const open of [openForBackup, openForRestore])
    await expect(open({ url: pooled })).rejects.toMatchObject({ code: 'pooled' });
});

test('with both addresses a console hears, prepares nothing, and keeps its transactions', async () => {
  const { direct, pooled } = await startPooled();
  const store = await openStore({ url: pooled, directUrl: direct });
  disposing.push({ [Symbol.asyncDispose]: () => store.close() });
  expect(store.url).toBe(direct);
  const heard: string[] = [];
  await store.listener.on('changed', ({ owner }) => heard.push(owner));
  await store.db.transaction().execute(async (db) => {
    await notify(db, 'changed', { owner: 'ada', topic: 'apps', id: null });
  });
  await expect.poll(() => heard).toEqual(['ada']);
  // Statements that have a name, over and over, several at a time.
  const times = { now: 1_000, everyMs: 10, gapMs: 10 };
  const looks = Array.from({ length: 40 }, (_, at) => claimLook(store.pool, `look ${at}`, times));
  expect(await Promise.all(looks)).toEqual(looks.map(() => ({ since: 1_000 })));
});

test('two addresses of different databases are refused', async () => {
  const { pooled } = await startPooled();
  const direct = withDatabase(testServerUrl(), 'postgres');
  await expect(openStore({ url: pooled, directUrl: direct })).rejects.toMatchObject({
    message: 'DATABASE_URL and DATABASE_URL_DIRECT lead to different databases.',
  });
});

test('a pooler in place of the direct address is refused too', async () => {
  const { pooled } = await startPooled();
  await expect(openStore({ url: pooled, directUrl: pooled })).rejects.toThrow(
    'DATABASE_URL_DIRECT, or DATABASE_URL without it, names a pooler',
  );
});

test('PostgreSQL itself is taken for no pooler while others open and close connections', async () => {
  await using database = await testDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ url: database.url })));
  for (const store of stores) await store.close();
});
