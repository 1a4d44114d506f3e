import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { databaseName, ensureDatabase, openPool, unreachableRemedy } from '../connect.ts';
import type { Database } from '../database.ts';
import { superuser } from '../embedded/cluster.ts';
import { socketFolder } from '../embedded/folders.ts';
import { isPostgres } from '../embedded/is-postgres.ts';
import { readPostmaster } from '../embedded/postmaster-file.ts';
import { startEmbedded } from '../embedded/server.ts';
import { refuseUnknownSchema } from '../migrate.ts';
import { readMigrations } from '../read-migrations.ts';
import { refusePooler } from '../refuse-pooler.ts';
import { StoreError } from '../store-error.ts';
import { notEmpty } from './load-archive.ts';

/** Where a console's data are: in a data folder, or on a server of the operator's. */
export type DataPlace = { dataFolder: string; programs?: string | undefined } | { url: string };

export type OpenDatabase = {
  client: pg.Client;
  close(): Promise<void>;
};

/** Reaches the data of a console that runs, or of one that does not. Throws `StoreError`. */
export async function openForBackup(place: DataPlace): Promise<OpenDatabase> {
  const { target, stop } = await reach(place);
  return 'url' in place ? refusingPoolers(target) : connected(target, stop);
}

export type BesideConsole = { db: Kysely<Database>; close(): Promise<void> };

/** The rows of a console, beside it while it runs. Throws `StoreError` where a newer program, or none, made the schema. */
export async function openBeside(place: DataPlace): Promise<BesideConsole> {
  const { target, stop } = await reach(place);
  const { client, close } = await connected(target, stop);
  try {
    await refuseUnknownSchema(client, await readMigrations());
  } catch (error) {
    await close();
    throw error;
  }
  const { pool, closed } = openPool(target, 1, () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    async close() {
      await db.destroy();
      if (!pool.ending) await pool.end();
      await closed();
      await close();
    },
  };
}

/** `stop` is there where PostgreSQL did not run. */
async function reach(
  place: DataPlace,
): Promise<{ target: pg.ClientConfig; stop: (() => Promise<void>) | undefined }> {
  if ('url' in place) return { target: { connectionString: place.url }, stop: undefined };
  const data = resolve(place.dataFolder);
  const cluster = join(data, 'postgres');
  if (!existsSync(join(cluster, 'PG_VERSION'))) throw noData(data);
  const running = await readPostmaster(cluster);
  if (running?.ready && (await isPostgres(running.pid)))
    return { target: { host: socketFolder(data), user: superuser, database: databaseName }, stop: undefined };
  const server = await startEmbedded({ dataFolder: data, programs: place.programs });
  return {
    target: { host: server.socketFolder, user: server.user, database: databaseName },
    stop: () => server.stop(),
  };
}

export type RestoreDatabase = OpenDatabase & {
  /** Puts the loaded database in its place. */
  finish(): Promise<void>;
};

/** A database of its own on the embedded server: until it is whole, no console opens it. */
const unfinishedName = `${databaseName}_restoring`;

/** Opens the database that an archive is loaded into. Throws `StoreError` where a console has accounts there, or runs. */
export async function openForRestore(place: DataPlace): Promise<RestoreDatabase> {
  if ('url' in place)
    return { ...(await refusingPoolers({ connectionString: place.url })), finish: async () => {} };
  const server = await startEmbedded(place);
  const target = { host: server.socketFolder, user: server.user };
  const administer = (statement: string) => withClient({ ...target, database: 'postgres' }, statement);
  try {
    await refuseAccounts({ ...target, database: databaseName });
    await administer(`drop database if exists ${unfinishedName} with (force)`);
    await ensureDatabase({ ...target, database: 'postgres' }, unfinishedName);
    const open = await connected({ ...target, database: unfinishedName });
    let finished = false;
    return {
      client: open.client,
      async finish() {
        await open.close();
        await administer(`drop database if exists ${databaseName} with (force)`);
        await administer(`alter database ${unfinishedName} rename to ${databaseName}`);
        finished = true;
      },
      async close() {
        await open.close();
        if (!finished)
          await administer(`drop database if exists ${unfinishedName} with (force)`).catch(() => {});
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function refuseAccounts(target: pg.ClientConfig): Promise<void> {
  const { client, close } = await connected({ ...target, database: 'postgres' });
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (!found.rowCount) return;
  } finally {
    await close();
  }
  const console = await connected(target);
  try {
    const { rows } = await console.client.query<{ found: string | null }>(
      `select to_regclass('auth."user"') as found`,
    );
    if (!rows[0]?.found) return;
    const { rowCount } = await console.client.query('select 1 from auth."user" limit 1');
    if (rowCount) throw notEmpty();
  } finally {
    await console.close();
  }
}

async function connected(target: pg.ClientConfig, afterwards?: () => Promise<void>): Promise<OpenDatabase> {
  const client = new pg.Client({
    ...target,
    connectionTimeoutMillis: 10_000,
    application_name: 'homeport archive',
  });
  // Whoever waits for an answer gets the same error.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await afterwards?.();
    throw unreachable(error);
  }
  let closing: Promise<void> | undefined;
  return {
    client,
    close() {
      closing ??= (async () => {
        await client.end().catch(() => {});
        await afterwards?.();
      })();
      return closing;
    },
  };
}

/** A server of the operator's. A backup holds a lock for as long as its session lives. */
async function refusingPoolers(target: pg.ClientConfig): Promise<OpenDatabase> {
  const open = await connected(target);
  try {
    await refusePooler(open.client, target);
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function withClient(target: pg.ClientConfig, statement: string): Promise<void> {
  const { client, close } = await connected(target);
  try {
    await client.query(statement);
  } finally {
    await close();
  }
}

function noData(data: string): StoreError {
  return new StoreError(
    'no_data',
    `There is no console’s data in ${data}.`,
    'Name the console’s data folder with --data, or its DATABASE_URL.',
  );
}

function unreachable(error: unknown): StoreError {
  return new StoreError(
    'unreachable',
    `PostgreSQL cannot be reached: ${(error as Error).message}.`,
    unreachableRemedy,
    error,
  );
}
