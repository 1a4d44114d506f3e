import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseName, ensureDatabase } from '../connect.ts';
import { unprivilegedAccount } from '../embedded/account.ts';
import { superuser } from '../embedded/cluster.ts';
import { prepareFolders } from '../embedded/folders.ts';
import { programsIn } from '../embedded/named-programs.ts';
import { type EmbeddedServer, runServer } from '../embedded/server.ts';
import { migrate } from '../migrate.ts';
import { readMigrations } from '../read-migrations.ts';

/** Where Debian has the oldest PostgreSQL that a console runs on. */
export const olderFolder = '/usr/lib/postgresql/15/bin';

/** Makes a data folder as a Homeport with an older PostgreSQL would have left it, and starts that PostgreSQL on it. */
export async function startOlderCluster(dataFolder: string): Promise<EmbeddedServer> {
  const account = await unprivilegedAccount();
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const folders = await prepareFolders(dataFolder, account);
  const binaries = await programsIn(olderFolder, account);
  const made = await mkdtemp(join(folders.data, 'made-'));
  if (account) await chown(made, account.uid, account.gid);
  const argv = [
    '-D',
    made,
    '-U',
    superuser,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--data-checksums',
    '--locale=C.UTF-8',
  ];
  await promisify(execFile)(binaries.initdb, argv, {
    ...{ env: binaries.env, cwd: '/' },
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  await rename(made, folders.cluster);
  return runOlder(dataFolder);
}

/** Starts the older PostgreSQL again, as the Homeport of before would. */
export async function runOlder(dataFolder: string): Promise<EmbeddedServer> {
  const account = await unprivilegedAccount();
  const folders = await prepareFolders(dataFolder, account);
  const binaries = await programsIn(olderFolder, account);
  return runServer({ folders, binaries, account }, { settings: { fsync: 'off' } });
}

/** As `startOlderCluster`, with three people who are signed in, and enough rows for a kill in the middle of a table. */
export async function fillOlderData(dataFolder: string): Promise<void> {
  const server = await startOlderCluster(dataFolder);
  const target = { host: server.socketFolder, user: server.user, database: databaseName };
  await ensureDatabase({ ...target, database: 'postgres' });
  const client = new pg.Client(target);
  await client.connect();
  await migrate(client, await readMigrations());
  await client.query(
    `with people as (
       insert into auth."user" (name, email, "emailVerified") select 'p' || n, 'p' || n || '@example.test', true
       from generate_series(1, 3) as n returning id)
     insert into auth.session ("expiresAt", token, "updatedAt", "userId")
       select now() + interval '7 days', id::text, now(), id from people`,
  );
  await client.query(
    `insert into series.check_monthly select n, n, ${Array(26).fill('1').join(', ')} from generate_series(1, 20000) as n`,
  );
  await client.end();
  await server.stop();
}
