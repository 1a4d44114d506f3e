import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { awaitSchema, migrate, refuseNewerSchema } from './migrate.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { administer, testServerUrl, withDatabase } from './testing.ts';

const name = `test_migrate_${process.pid}`;
let folder: string;
let clients: pg.Client[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-migrate-'));
  await administer(testServerUrl(), (client) => client.query(`create database ${name}`));
});
afterEach(async () => {
  for (const client of clients) await client.end();
  clients = [];
  await administer(testServerUrl(), (client) => client.query(`drop database ${name} with (force)`));
  await rm(folder, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: withDatabase(testServerUrl(), name) });
  await client.connect();
  clients.push(client);
  return client;
}

async function migrations(...files: [string, string][]): Promise<Migration[]> {
  for (const [file, sql] of files) await writeFile(join(folder, file), sql);
  return readMigrations(folder);
}

const first: [string, string] = ['0001_first.sql', 'create table first (id integer);'];
const second: [string, string] = ['0002_second.sql', 'alter table first add column name text;'];

test('runs each file once, in order', async () => {
  const client = await connect();
  expect(await migrate(client, await migrations(first))).toBe(1);
  expect(await migrate(client, await migrations(first, second))).toBe(1);
  expect(await migrate(client, await migrations())).toBe(0);
  await client.query('select id, name from first');
});

test('consoles that start at once run each file once', async () => {
  const steps = await migrations(first, second);
  const ran = await Promise.all(
    [await connect(), await connect(), await connect()].map((client) => migrate(client, steps)),
  );
  expect(ran.sort()).toEqual([0, 0, 2]);
});

test('who changes no tables waits for the process that does, and reads why', async () => {
  const [waiting, migrating] = [await connect(), await connect()];
  const steps = await migrations(first, second);
  await migrate(migrating, steps.slice(0, 1));
  const reasons: string[] = [];
  await awaitSchema(waiting, steps, {
    withinMs: 60_000,
    waits(reason) {
      reasons.push(reason);
      void migrate(migrating, steps);
    },
  });
  expect(reasons).toEqual([
    'The data are of an older Homeport. The console (its api or monitor) brings the data up to date first.',
  ]);
  await waiting.query('select name from first');
  await awaitSchema(waiting, steps, { withinMs: 0 });
});

test('who changes no tables gives an empty database up after its time, and leaves it empty', async () => {
  const client = await connect();
  await expect(awaitSchema(client, await migrations(first), { withinMs: 0 })).rejects.toMatchObject({
    code: 'older_schema',
    message: expect.stringContaining('There are no tables of Homeport in this database yet.'),
  });
  expect(
    (await client.query("select from pg_class where relnamespace = 'public'::regnamespace")).rowCount,
  ).toBe(0);
});

test('a failed file leaves nothing behind and can run again', async () => {
  const client = await connect();
  const broken = await migrations(first, ['0002_second.sql', 'create table second (); select 1 / 0;']);
  await expect(migrate(client, broken)).rejects.toThrow('division by zero');
  expect((await client.query("select to_regclass('second') as found")).rows).toEqual([{ found: null }]);
  expect(await migrate(client, await migrations(second))).toBe(1);
});

test('lets others at a table that somebody holds, and changes it between their transactions', async () => {
  const [migrating, holder, reader] = [await connect(), await connect(), await connect()];
  await migrate(migrating, await migrations(first));
  await holder.query('begin; select from first');
  const migrated = migrate(migrating, await migrations(first, second));
  const waiting = async () =>
    (await holder.query("select from pg_locks where not granted and relation = 'first'::regclass")).rowCount;
  await expect.poll(waiting).toBe(1);
  // Waits behind the migration, until that gives the table free.
  await reader.query('select from first');
  await holder.query('commit');
  expect(await migrated).toBe(1);
  await reader.query('select name from first');
}, 60_000);

test('refuses data of a newer version and says what to do', async () => {
  const client = await connect();
  const newer = await migrations(first, second);
  await migrate(client, newer);
  await expect(migrate(client, newer.slice(0, 1))).rejects.toMatchObject({
    code: 'newer_schema',
    message: 'The data was written by a newer Homeport (schema 2; this program knows up to 1).',
    remedy: expect.stringContaining('Start the newer version'),
  });
});

test('refuses a file that was edited after it ran', async () => {
  const client = await connect();
  await migrate(client, await migrations(first));
  const edited = await migrations(['0001_first.sql', 'create table first (id bigint);']);
  await expect(migrate(client, edited)).rejects.toMatchObject({ code: 'edited_migration' });
});

test('does not take changed line ends for an edit', async () => {
  const client = await connect();
  await migrate(client, await migrations(['0001_first.sql', 'create table first\n(id integer);\n']));
  expect(
    await migrate(client, await migrations(['0001_first.sql', 'create table first\r\n(id integer);\r\n'])),
  ).toBe(0);
});

test('runs a file that is added after a file with a higher number', async () => {
  const client = await connect();
  const third: [string, string] = ['0003_third.sql', 'create table third ();'];
  expect(await migrate(client, await migrations(first, third))).toBe(2);
  expect(await migrate(client, await migrations(second))).toBe(1);
  expect(await migrate(client, await migrations())).toBe(0);
  await client.query('select name from first');
});

test('refuses two files with one number', async () => {
  await expect(migrations(first, second, ['0002_other.sql', 'select 1;'])).rejects.toThrow(
    'There are two files 0002_*.sql',
  );
});

/** The tables before the stages, and steps of newer programs after it. */
const stages: [string, string] = [
  '0001_stages.sql',
  '-- stage: expand\nalter table migration add column needs integer;',
];
const expand: [string, string] = ['0002_add.sql', '-- stage: expand\ncreate table added (id integer);'];
const contract: [string, string] = ['0003_drop.sql', '-- stage: contract since 0002\ndrop table added;'];

test('an older program runs on the tables of an expand, and changes nothing there', async () => {
  const client = await connect();
  const steps = await migrations(stages, expand);
  await migrate(client, steps);
  expect(await migrate(client, steps.slice(0, 1))).toBe(0);
  await refuseNewerSchema(client, steps.slice(0, 1));
  await awaitSchema(client, steps.slice(0, 1), { withinMs: 0 });
  await client.query('select id from added');
});

test('a contract is for programs that know the step that it names', async () => {
  const client = await connect();
  const steps = await migrations(stages, expand, contract);
  await migrate(client, steps);
  expect(await migrate(client, steps.slice(0, 2))).toBe(0);
  await expect(migrate(client, steps.slice(0, 1))).rejects.toMatchObject({
    code: 'newer_schema',
    message: 'The data was written by a newer Homeport (schema 3; this program knows up to 1).',
  });
});

test('a newer step without a stage is for programs that know it', async () => {
  const client = await connect();
  const steps = await migrations(stages, expand, ['0003_third.sql', 'create table third ();']);
  await migrate(client, steps);
  await expect(migrate(client, steps.slice(0, 2))).rejects.toMatchObject({ code: 'newer_schema' });
});

test('a program does not run its own step on the tables of a newer one', async () => {
  const client = await connect();
  const [begin, theirs] = await migrations(stages, ['0003_theirs.sql', expand[1]]);
  if (!begin || !theirs) throw new Error('no steps');
  await migrate(client, [begin, theirs]);
  await rm(join(folder, '0003_theirs.sql'));
  await expect(migrate(client, await migrations(second))).rejects.toMatchObject({ code: 'newer_schema' });
});

test.each([
  '-- stage: both',
  '-- stage: contract',
  '-- stage: contract since 0000',
  '-- stage: contract since 12',
])('refuses a file that begins with “%s”', async (line) => {
  await expect(migrations(['0001_first.sql', `${line}\n`])).rejects.toThrow(
    'The stage of 0001_first.sql is neither “expand” nor like “contract since 0100”',
  );
});

test('a statement of a step has a minute, and a wait for a table five seconds', async () => {
  const client = await connect();
  const seen = `create table seen as select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock;`;
  await migrate(client, await migrations(['0001_seen.sql', seen]));
  expect((await client.query('select * from seen')).rows).toEqual([{ statement: '1min', lock: '5s' }]);
  // A step, and not the connection.
  expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
});

test('a step that takes too long leaves nothing, and the operator reads what to do', async () => {
  const client = await connect();
  await migrate(client, await migrations(first));
  const long = 'create table begun (); set local statement_timeout = 20; select pg_sleep(60);';
  await expect(migrate(client, await migrations(['0002_long.sql', long]))).rejects.toMatchObject({
    code: 'step_too_long',
    message: expect.stringContaining('the schema step 0002 (long), whose statements may take 60 s each'),
    remedy: expect.stringContaining('make a backup with this version, and restore it with this version'),
  });
  expect((await client.query("select to_regclass('begun') as found")).rows).toEqual([{ found: null }]);
  expect(await migrate(client, await migrations(['0002_long.sql', 'create table begun ();']))).toBe(1);
});
