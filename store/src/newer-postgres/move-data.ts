import { existsSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { loadArchive } from '../archive/load-archive.ts';
import { openForRestore } from '../archive/open-database.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { disturbed, namesOfMoved } from '../clusters/claim-moved.ts';
import { discard, discardRest } from '../clusters/discard.ts';
import { keptForDays } from '../clusters/kept-clusters.ts';
import { finishSwitch, majorOf, switchClusters } from '../clusters/switch-clusters.ts';
import { unprivilegedAccount } from '../embedded/account.ts';
import { findBinaries } from '../embedded/binaries.ts';
import { giveTo, superuser } from '../embedded/cluster.ts';
import { type Folders, foldersIn, prepareFolders, socketFolder } from '../embedded/folders.ts';
import { type EmbeddedServer, type OnCluster, runServer, stopLeftover } from '../embedded/server.ts';
import { type Migration, readMigrations } from '../read-migrations.ts';
import { StoreError } from '../store-error.ts';
import { olderPrograms } from './older-programs.ts';
import { inWordsOfMove } from './words-of-move.ts';

export type MoveOptions = {
  dataFolder: string;
  /** As `EmbeddedOptions.programs`. */
  programs?: string | undefined;
  /** The folder of the programs that wrote the data. */
  olderPrograms?: string | undefined;
  /** Called when a move begins and when it has ended, with words for the log. */
  say?: ((text: string) => void) | undefined;
};

/** Beside the data themselves: an empty cluster, and the log of PostgreSQL. */
const roomBytes = 640 * 1_048_576;
const databaseName = 'homeport';
const movingName = 'moving';

/**
 * Moves data that an older major version of PostgreSQL wrote into a new cluster, by the archive of a backup that goes from one server to the
 * other. The old cluster is read only, and stays as the way back. A kill at any moment leaves the old data or the moved ones, and the next start
 * goes on. Does nothing for data of the present version, and for those of a newer one, which the start of the server refuses. Throws `StoreError`.
 */
export async function moveToNewerPostgres(options: MoveOptions): Promise<void> {
  const account = await unprivilegedAccount();
  // Before the look at the disk, which a killed move may have filled.
  await clear(resolve(options.dataFolder));
  const folders = await prepareFolders(options.dataFolder, account);
  await stopLeftover(folders);
  const { major: to } = await findBinaries(folders.copies, account, options.programs);
  await finishSwitch(folders, { now: Date.now(), programsMajor: to });
  const from = await majorOf(folders.cluster);
  if (from === undefined || from >= to) return;
  const binaries = await olderPrograms(from, {
    ...{ named: options.olderPrograms, copies: folders.copies, account },
  });
  const say = options.say ?? (() => {});
  say(`The data are moved from PostgreSQL ${from} to ${to}. The console is ready when that has ended.`);
  await giveTo(folders.cluster, account);
  const moving = join(folders.data, movingName);
  try {
    await fillFrom({ folders, binaries, account }, moving, from, options.programs);
    await switchClusters(folders, join(moving, 'postgres'), from, {
      ...{ now: Date.now(), programsMajor: to },
    });
  } catch (error) {
    // What another console made is not this one's to clear.
    if (!(error instanceof StoreError && error.code === 'second_console'))
      await clear(folders.data).catch(() => {});
    throw error;
  }
  await clear(folders.data);
  say(`The data are moved. Those of PostgreSQL ${from} are kept beside them for ${keptForDays} days.`);
}

async function fillFrom(
  on: OnCluster,
  moving: string,
  from: number,
  programs: string | undefined,
): Promise<void> {
  const { folders } = on;
  const older = await runServer(on, {});
  try {
    // Another console may have ended a move of its own before this server began. From here on nobody else can.
    if ((await majorOf(folders.cluster)) !== from || (await namesOfMoved(folders.data)).length > 0)
      throw disturbed(folders.data);
    await fill(moving, older, folders, programs);
  } catch (error) {
    throw inWordsOfMove(error, from, folders.data);
  } finally {
    await older.stop();
  }
}

/** What a killed or failed move left: a server that may still run, and half of a cluster. Needs no space on the disk. */
async function clear(data: string): Promise<void> {
  const moving = join(data, movingName);
  if (existsSync(moving)) {
    // Refuses while a console lives that may be filling it.
    await stopLeftover(foldersIn(data));
    await stopLeftover(foldersIn(moving));
    await discard(moving);
    await rm(socketFolder(moving), { recursive: true, force: true });
  }
  await discardRest(data);
}

/** Makes the new cluster. It is whole when this resolves, and nobody runs on it. */
async function fill(
  moving: string,
  older: EmbeddedServer,
  folders: Folders,
  programs: string | undefined,
): Promise<void> {
  const source = { host: older.socketFolder, user: superuser };
  const bytes = await bytesOf(source);
  if (bytes !== null) await refuseFullDisk(folders.data, bytes);
  const target = await openForRestore({ dataFolder: moving, programs });
  try {
    if (bytes !== null) await copy({ ...source, database: databaseName }, target.client);
    await target.finish();
  } finally {
    await target.close();
  }
}

/** What the console's database takes. Null where there is none: the first start of that console was killed. */
async function bytesOf(source: pg.ClientConfig): Promise<number | null> {
  return connected({ ...source, database: 'postgres' }, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      'select pg_database_size(oid)::float8 as bytes from pg_database where datname = $1',
      [databaseName],
    );
    return rows[0]?.bytes ?? null;
  });
}

/** Every row, also of what a backup leaves out: it is the same console, and people stay signed in. */
async function copy(source: pg.ClientConfig, target: pg.Client): Promise<void> {
  const known = await readMigrations();
  await connected(source, async (client) => {
    const migrations = await appliedOf(client, known);
    // Killed before its first tables were made.
    if (migrations.length === 0) return;
    const facts = { madeBy: 'a move', secret: '', migrations: known, now: Date.now(), which: 'all' as const };
    await loadArchive(target, writeArchive(client, facts), {
      ...{ migrations, which: 'all' as const, keepTokens: true, now: Date.now() },
      beforeCommit: async () => {},
    });
  });
}

/** Later steps are the upgrade's, which copies the data first. */
async function appliedOf(client: pg.Client, known: readonly Migration[]): Promise<Migration[]> {
  const { rows: found } = await client.query<{ found: string | null }>(
    "select to_regclass('migration') as found",
  );
  if (!found[0]?.found) return [];
  const { rows } = await client.query<{ number: number }>('select number from migration');
  const applied = new Set(rows.map(({ number }) => number));
  return known.filter(({ number }) => applied.has(number));
}

async function refuseFullDisk(data: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(data);
  const needed = Math.ceil(bytes * 1.2) + roomBytes;
  if (bavail * bsize >= needed) return;
  throw new StoreError(
    'disk_full',
    `The data have to be moved to a newer PostgreSQL, which takes ${inMiB(needed)} MiB beside them, and the disk of ${data} has ${inMiB(bavail * bsize)} MiB left.`,
    'Nothing was changed. Free some space there and start again, or start the Homeport of before.',
  );
}

const inMiB = (bytes: number) => Math.ceil(bytes / 1_048_576);

async function connected<T>(target: pg.ClientConfig, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...target, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await fn(client);
  } finally {
    await client.end().catch(() => {});
  }
}
