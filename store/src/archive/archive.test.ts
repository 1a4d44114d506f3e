import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { migrate } from '../migrate.ts';
import { readMigrations } from '../read-migrations.ts';
import { tendPartitions } from '../series/partitions.ts';
import { administer, testDatabase, testServerUrl, withDatabase } from '../testing.ts';
import { quoted, readTables } from './catalogue.ts';
import { loadArchive } from './load-archive.ts';
import { readArchive } from './read-archive.ts';
import { archivedTables } from './tables.ts';
import { fillTables, proofsOf } from './testing/fill-tables.ts';
import { writeArchive } from './write-archive.ts';

vi.setConfig({ testTimeout: 120_000 });

const secret = 'a secret of at least thirty-two characters\n';

async function archiveOf(url: string): Promise<Buffer> {
  const migrations = await readMigrations();
  const chunks: Buffer[] = [];
  await administer(url, async (client) => {
    for await (const chunk of writeArchive(client, { madeBy: '1.2.3', secret, migrations, now: 5_000 }))
      chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** As a file comes: in chunks that end anywhere. */
async function* inChunks(archive: Buffer, bytes = 65_521): AsyncGenerator<Buffer> {
  for (let at = 0; at < archive.length; at += bytes) yield archive.subarray(at, at + bytes);
}

async function load(url: string, archive: Buffer, keepTokens = true) {
  const migrations = await readMigrations();
  return administer(url, (client) =>
    loadArchive(client, inChunks(archive), {
      migrations,
      keepTokens,
      now: 9_000,
      beforeCommit: async () => {},
    }),
  );
}

test('every table of the schema is either kept or left', async () => {
  await using database = await testDatabase();
  await tendPartitions(database.store.pool, Date.now());
  const tables = await readTables(database.store.pool);
  const names = [...new Set(tables.map(({ of }) => of))];
  expect(Object.keys(archivedTables).sort()).toEqual(names.sort());
});

test('every kept table comes back without a difference, with its keys, sequences and generated columns', async () => {
  await using source = await testDatabase();
  await tendPartitions(source.store.pool, Date.now());
  await administer(source.url, fillTables);
  const before = await administer(source.url, proofsOf);
  for (const [table, { rows }] of Object.entries(before))
    expect({ table, rows }).toEqual({ table, rows: expect.toSatisfy((count: number) => count > 0) });
  const archive = await archiveOf(source.url);

  await using target = await testDatabase();
  const read = await load(target.url, archive);
  expect(read.secret).toBe(secret);
  expect(read.manifest.tables).toEqual(before);
});

test('what was under way when the backup was made does not come back alive', async () => {
  await using source = await testDatabase();
  await administer(source.url, fillTables);
  await using target = await testDatabase();
  await load(target.url, await archiveOf(source.url), false);
  const { pool } = target.store;

  const left = Object.keys(archivedTables).filter((table) => archivedTables[table] === 'left');
  for (const table of left.filter((each) => !['public.migration', 'public.restorations'].includes(each)))
    expect({ table, rows: await countOf(pool, table) }).toEqual({ table, rows: 0 });
  expect(await countOf(pool, 'public.api_tokens')).toBe(0);
  const { rows: operations } = await pool.query(
    `select state, ended_at, replica_id, steps -> 0 ->> 'endedAt' as ended, (select text from operation_lines l
       where l.operation_id = o.id order by seq desc limit 1) as line from operations o where state <> 'succeeded'`,
  );
  expect(operations).toEqual([
    {
      ...{ state: 'interrupted', ended_at: 9_000, replica_id: null, ended: '5' },
      line: 'This operation was under way when the backup was made. The finished steps are kept. Run this operation again to continue from here.',
    },
  ]);
  const { rows: messages } = await pool.query('select distinct state from notice_messages order by state');
  expect(messages).toEqual([{ state: 'sent' }, { state: 'unsent' }]);
  const { rows: restored } = await pool.query(
    'select backup_at, restored_at, confirmed_at from restorations',
  );
  expect(restored).toEqual([{ backup_at: 5_000, restored_at: 9_000, confirmed_at: null }]);
});

test('the restored tables have their keys, triggers, sequences and generated columns', async () => {
  await using source = await testDatabase();
  await tendPartitions(source.store.pool, Date.now());
  await administer(source.url, fillTables);
  await using target = await testDatabase();
  await load(target.url, await archiveOf(source.url));
  for (const part of [
    `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as is from pg_constraint
       where connamespace::regnamespace::text in ('public', 'auth', 'series') order by 1, 2`,
    `select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
    'select id, rule_count, rule_bytes, url_bytes from proxies order by id',
    `select c.relname, pg_get_expr(c.relpartbound, c.oid) as is, c.reloptions from pg_class c where c.relispartition order by 1`,
  ]) {
    const { rows } = await source.store.pool.query(part);
    expect(rows.length).toBeGreaterThan(2);
    expect((await target.store.pool.query(part)).rows).toEqual(rows);
  }
});

test('an archive of a newer format or schema is refused, and nothing is changed', async () => {
  await using source = await testDatabase();
  const archive = (await archiveOf(source.url)).toString('latin1');
  await using target = await testDatabase();
  for (const newer of [
    archive.replace('"format": 1', '"format": 2'),
    archive.replace(/("name": "restorations",\s+"checksum": ")./, '$1g'),
  ]) {
    expect(newer).not.toBe(archive);
    await expect(load(target.url, Buffer.from(newer, 'latin1'))).rejects.toMatchObject({
      code: 'archive_newer',
      message: expect.stringContaining('newer Homeport (1.2.3)'),
    });
  }
  expect(await countOf(target.store.pool, 'public.restorations')).toBe(0);
});

test('an archive that was cut or changed anywhere is refused, and nothing is changed', async () => {
  await using source = await testDatabase();
  await administer(source.url, fillTables);
  const archive = await archiveOf(source.url);
  await using target = await testDatabase();
  const places = Array.from({ length: 12 }, (_, part) =>
    Math.floor(((part + Math.random()) / 12) * archive.length),
  );
  const nobody = { head: async () => {}, piece: async () => {} };
  const reads = (bytes: Buffer) => readArchive(inChunks(bytes), nobody);
  await reads(archive);
  for (const place of places) {
    await expect(reads(archive.subarray(0, place)), `cut at ${place}`).rejects.toMatchObject({
      code: 'archive_damaged',
    });
  }
  const row = archive.indexOf('\\\\N');
  const changed = Buffer.from(archive);
  changed[row] = 0x78;
  await expect(reads(changed)).rejects.toMatchObject({ code: 'archive_damaged' });
  await expect(load(target.url, changed)).rejects.toMatchObject({ code: 'archive_damaged' });
  await expect(load(target.url, archive.subarray(0, archive.length - 600))).rejects.toMatchObject({
    code: 'archive_damaged',
  });
  expect(await countOf(target.store.pool, 'auth.user')).toBe(0);
  await load(target.url, archive);
});

test('a console with accounts, and one that runs, are not restored over', async () => {
  await using source = await testDatabase();
  await administer(source.url, fillTables);
  const archive = await archiveOf(source.url);
  await using target = await testDatabase();
  await target.store.pool.query('insert into replicas values (gen_random_uuid(), $1)', [Date.now()]);
  await expect(load(target.url, archive)).rejects.toMatchObject({
    message: 'A console is running on this database.',
  });
  await expect(load(source.url, archive)).rejects.toMatchObject({
    message: 'This console has accounts already.',
  });
});

test('an older backup goes through the migrations that came later', async () => {
  await using source = await emptyDatabase();
  const before = (await readMigrations()).filter(({ number }) => number < 62);
  await administer(source.url, async (client) => {
    await migrate(client, before);
    await fillTables(client);
  });
  const archive = await archiveOf(source.url);
  await using target = await emptyDatabase();
  const read = await load(target.url, archive);
  expect(read.head.migrations.at(-1)?.number).toBeLessThan(62);
  await administer(target.url, async (client) => {
    const { rows } = await client.query('select max(number)::integer as last from migration');
    expect(rows[0].last).toBe((await readMigrations()).at(-1)?.number);
    expect((await client.query('select from auth."user"')).rowCount).toBe(3);
  });
});

test('data whose upgrade ended at a step that takes too long are backed up and restored by the newer program', async () => {
  const migrations = await readMigrations();
  const at = migrations.findIndex(({ number }) => number === 62);
  const slow = migrations
    .slice(at, at + 1)
    .map((step) => ({ ...step, sql: 'set local statement_timeout = 20; select pg_sleep(60)' }));
  await using source = await emptyDatabase();
  await administer(source.url, async (client) => {
    await expect(migrate(client, [...migrations.slice(0, at), ...slow])).rejects.toMatchObject({
      code: 'step_too_long',
    });
  });
  await using target = await emptyDatabase();
  const read = await load(target.url, await archiveOf(source.url));
  expect(read.head.migrations).toHaveLength(at);
  await administer(target.url, async (client) => expect(await migrate(client, migrations)).toBe(0));
});

test('an older program makes no backup of tables that it does not know, even where it runs on them', async () => {
  await using database = await testDatabase();
  await database.store.pool.query('create table added (id integer)');
  await database.store.pool.query(
    `insert into migration (number, name, checksum, needs) values (9999, 'newer', '', 0)`,
  );
  await expect(archiveOf(database.url)).rejects.toMatchObject({
    code: 'newer_schema',
    message: expect.stringContaining('a backup by it would lack what it does not know'),
  });
});

test('while a backup is made, partitions are neither dropped nor made, unless reports need one now', async () => {
  await using database = await testDatabase();
  const { pool } = database.store;
  const migrations = await readMigrations();
  const now = Date.UTC(2026, 5, 15, 12);
  const day = 86_400_000;
  await tendPartitions(pool, now);
  await administer(database.url, async (client) => {
    const archive = writeArchive(client, { madeBy: '1', secret, migrations, now });
    await archive.next();
    expect(await tendPartitions(pool, now + day)).toEqual({ made: 0, dropped: 0 });
    await archive.return({ tables: {}, secretSha256: '' });
  });
  expect(await tendPartitions(pool, now + day)).toEqual({ made: 3, dropped: 3 });
});

async function countOf(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query(`select count(*)::integer as count from ${quoted(table)}`);
  return rows[0].count;
}

/** A database without any table. */
async function emptyDatabase() {
  const server = testServerUrl();
  const name = `test_empty_${randomBytes(8).toString('hex')}`;
  await administer(server, (client) => client.query(`create database ${name}`));
  return {
    url: withDatabase(server, name),
    [Symbol.asyncDispose]: async () => {
      await administer(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}
