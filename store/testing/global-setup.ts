import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../src/embedded/server.ts';
import { migrate } from '../src/migrate.ts';
import { readMigrations } from '../src/read-migrations.ts';
import { administer, templateName, testServerVariable, withDatabase } from '../src/testing.ts';

/**
 * One PostgreSQL for the whole test run, with a migrated template. Each `testDatabase()` is a clone of that template. With
 * HOMEPORT_TEST_DATABASE_URL set (a superuser's, any PostgreSQL 15 or later) that server is used instead.
 */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env[testServerVariable];
  if (given) {
    await makeTemplate(given);
    return async () => {};
  }
  const dataFolder = await mkdtemp(join(await folderInMemory(), 'homeport-test-'));
  const server = await startEmbedded({
    dataFolder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  process.env[testServerVariable] =
    `postgresql://${server.user}@${encodeURIComponent(server.socketFolder)}/postgres`;
  await makeTemplate(process.env[testServerVariable]);
  // An interrupted Vitest exits without tearing down. The server is a process of its own and would stay.
  const endServer = () => process.kill(server.pid, 'SIGINT');
  process.once('exit', endServer);
  return async () => {
    process.off('exit', endServer);
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
}

async function makeTemplate(url: string): Promise<void> {
  await administer(url, async (client) => {
    await client.query(`drop database if exists ${templateName} with (force)`);
    await client.query(`create database ${templateName}`);
  });
  const migrations = await readMigrations();
  await administer(withDatabase(url, templateName), (client) => migrate(client, migrations));
}

/** What a run writes at most, with room to spare: PostgreSQL keeps at most 1 GiB of its log, and some clones of 12 MB at once. */
const neededBytes = 6 * 2 ** 30;

/**
 * Linux keeps the files of /dev/shm in memory. A clone of the template is copied and dropped for nearly every file of tests, and a disk
 * takes ten times the processor time for that. In a container that folder may hold only 64 MB.
 */
async function folderInMemory(): Promise<string> {
  const folder = '/dev/shm';
  const room = await statfs(folder).catch(() => undefined);
  const isRoomy = room !== undefined && Math.min(room.bavail * room.bsize, freemem()) >= neededBytes;
  return isRoomy ? folder : tmpdir();
}
