import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listKept } from '../clusters/kept-clusters.ts';
import { majorOf } from '../clusters/switch-clusters.ts';
import { ensureDatabase, openStore } from '../connect.ts';
import { startEmbedded } from '../embedded/server.ts';
import { migrate } from '../migrate.ts';
import { readMigrations } from '../read-migrations.ts';
import { olderFolder, runOlder, startOlderCluster } from '../testing/older-cluster.ts';
import { fillTables } from '../testing.ts';
import { moveToNewerPostgres } from './move-data.ts';

const isHere = existsSync(olderFolder) || process.env.CI === 'true';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-move-'));
  await chmod(folder, 0o711);
  data = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

/** Every table's rows as text, without the times at which steps of the schema ran. */
async function contentsOf(target: pg.ClientConfig): Promise<Record<string, string>> {
  const client = new pg.Client(target);
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'`);
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('public', 'auth', 'series') and c.relname <> 'migration' order by 1`,
    );
    const contents: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ all: string }>(
        `select coalesce(string_agg(t::text, E'\\n' order by t::text collate "C"), '') as all from ${name} t`,
      );
      contents[name] = rows[0]?.all ?? '';
    }
    return contents;
  } finally {
    await client.end();
  }
}

/** The data of a console that ran on PostgreSQL 15, with rows in every table. */
async function makeOlderData() {
  const server = await startOlderCluster(data);
  const target = { host: server.socketFolder, user: server.user, database: 'homeport' };
  await ensureDatabase({ ...target, database: 'postgres' });
  const client = new pg.Client(target);
  await client.connect();
  await migrate(client, await readMigrations());
  await fillTables(client);
  await client.end();
  const contents = await contentsOf(target);
  await server.stop();
  return contents;
}

async function movedContents() {
  const store = await openStore({ dataFolder: data });
  try {
    const { rows } = await store.pool.query('show server_version_num');
    expect(Number(rows[0]?.server_version_num)).toBeGreaterThanOrEqual(180_000);
    return await contentsOf({ connectionString: store.url });
  } finally {
    await store.close();
  }
}

test.skipIf(!isHere)(
  'moves every row to the new PostgreSQL, and keeps the old data as the way back',
  async () => {
    const contents = await makeOlderData();
    const said: string[] = [];
    await moveToNewerPostgres({ dataFolder: data, say: (text) => said.push(text) });
    expect(said[0]).toContain('moved from PostgreSQL 15 to 18');
    expect(await movedContents()).toEqual(contents);
    expect(existsSync(join(data, 'moving'))).toBe(false);
    const [kept] = await listKept(data);
    expect(kept).toMatchObject({ name: 'postgres.15', major: 15 });
    expect(kept?.bytes).toBeGreaterThan(1_000_000);

    // The way back, as the guide says it.
    await rename(join(data, 'postgres'), join(data, 'postgres.18'));
    await rename(join(data, 'postgres.15'), join(data, 'postgres'));
    await expect(startEmbedded({ dataFolder: data })).rejects.toMatchObject({ code: 'older_data' });
    await moveToNewerPostgres({ dataFolder: data });
    expect(await movedContents()).toEqual(contents);

    // What a person moved aside goes never by itself.
    expect(await listKept(data)).toMatchObject([
      { name: 'postgres.18', goesAt: null },
      { name: 'postgres.15', goesAt: expect.any(Number) },
    ]);
  },
  300_000,
);

test.skipIf(!isHere)(
  'a move that was killed between its names is finished, unless the older program went on',
  async () => {
    const contents = await makeOlderData();
    await moveToNewerPostgres({ dataFolder: data });
    const [kept] = await listKept(data);
    // The new cluster is whole, and nothing has its name yet.
    await writeFile(
      join(data, 'postgres/homeport-moved.json'),
      JSON.stringify({ from: 15, controlSha256: 'another' }),
    );
    await rename(join(data, 'postgres'), join(data, 'postgres.moved'));
    // Also any other program that opens the data, such as a backup, finds the whole ones.
    expect(await movedContents()).toEqual(contents);

    // The older program wrote since: what was made of its data is out of date.
    await rename(join(data, 'postgres'), join(data, 'postgres.moved'));
    await writeFile(
      join(data, 'postgres.moved/homeport-moved.json'),
      JSON.stringify({ from: 15, controlSha256: 'another' }),
    );
    await rename(join(data, kept?.name ?? ''), join(data, 'postgres'));
    await moveToNewerPostgres({ dataFolder: data });
    expect(existsSync(join(data, 'postgres.moved'))).toBe(false);
    expect(await movedContents()).toEqual(contents);
  },
  300_000,
);

test.skipIf(!isHere)(
  'a move that fails says so in its own words, keeps the data and takes its half away',
  async () => {
    const contents = await makeOlderData();
    const server = await runOlder(data);
    const target = { host: server.socketFolder, user: server.user, database: 'homeport' };
    const change = async (statement: string) => {
      const client = new pg.Client(target);
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    await change('alter table migration rename to away');
    await change('create table migration as select * from away limit 3');
    await server.stop();
    await expect(moveToNewerPostgres({ dataFolder: data })).rejects.toMatchObject({
      code: 'move_failed',
      message: expect.stringContaining('could not be moved from PostgreSQL 15'),
      remedy: expect.stringContaining('Nothing was changed'),
    });
    expect(existsSync(join(data, 'moving'))).toBe(false);
    expect(await majorOf(join(data, 'postgres'))).toBe(15);
    expect(Object.keys(contents).length).toBeGreaterThan(10);
  },
  300_000,
);

test('what a killed move left goes at each start, also where nothing is to be moved', async () => {
  await mkdir(join(data, 'moving/postgres/base'), { recursive: true });
  await mkdir(join(data, 'homeport-removed.moving.4711'), { recursive: true });
  await moveToNewerPostgres({ dataFolder: data });
  expect(existsSync(join(data, 'moving'))).toBe(false);
  expect(existsSync(join(data, 'homeport-removed.moving.4711'))).toBe(false);
});

test('no empty console is made where the data stand under another name', async () => {
  await mkdir(join(data, 'postgres.15'), { recursive: true });
  await writeFile(join(data, 'postgres.15/PG_VERSION'), '15\n');
  await expect(startEmbedded({ dataFolder: data })).rejects.toMatchObject({
    code: 'folder_unusable',
    message: expect.stringContaining('postgres.15'),
  });
  expect(existsSync(join(data, 'postgres'))).toBe(false);
});

test('data of a newer PostgreSQL name the ones from before the move', async () => {
  for (const [name, major] of Object.entries({ postgres: 19, 'postgres.18': 18, 'postgres.15': 15 })) {
    await mkdir(join(data, name), { recursive: true });
    await writeFile(join(data, name, 'PG_VERSION'), `${major}\n`);
  }
  await expect(startEmbedded({ dataFolder: data })).rejects.toMatchObject({
    code: 'newer_data',
    remedy: expect.stringContaining(join(data, 'postgres.18')),
  });
});

test('data whose programs are not on this machine say what to install, and stay as they are', async () => {
  const server = await startEmbedded({ dataFolder: data });
  await server.stop();
  await writeFile(join(data, 'postgres/PG_VERSION'), '7\n');
  await expect(moveToNewerPostgres({ dataFolder: data })).rejects.toMatchObject({
    code: 'older_data',
    message: expect.stringContaining('written by PostgreSQL 7'),
    remedy: expect.stringContaining('HOMEPORT_POSTGRES_BEFORE'),
  });
  await expect(
    moveToNewerPostgres({ dataFolder: data, olderPrograms: join(folder, 'nothing') }),
  ).rejects.toThrow('HOMEPORT_POSTGRES_BEFORE names');
  expect(existsSync(join(data, 'moving'))).toBe(false);
}, 60_000);
