import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namesOfMoved } from '../clusters/claim-moved.ts';
import { isAlive } from '../clusters/is-alive.ts';
import { clustersBeside } from '../clusters/kept-clusters.ts';
import { diskFull, StoreError } from '../store-error.ts';
import type { Account } from './account.ts';
import type { Binaries } from './named-programs.ts';

export const superuser = 'postgres';

/** Makes the cluster if there is none yet. Refuses a cluster that another major version wrote. */
export async function ensureCluster(cluster: string, binaries: Binaries, account: Account | undefined) {
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await refuseBesideData(dirname(cluster));
    await makeCluster(cluster, binaries, account);
  }
  const major = Number((await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim());
  if (major > binaries.major) {
    const kept = (await clustersBeside(dirname(cluster))).find((each) => each.major <= binaries.major);
    throw new StoreError(
      'newer_data',
      `The data in ${dirname(cluster)} was written by PostgreSQL ${major}; ${binaries.source} PostgreSQL ${binaries.major}.`,
      `Start the newer Homeport that wrote the data, name the programs of PostgreSQL ${major} in HOMEPORT_POSTGRES, or choose another folder with --data.${kept ? ` The data from before a move are in ${join(dirname(cluster), kept.name)}: the operator’s guide says how to go back to them.` : ''}`,
    );
  }
  if (major < binaries.major) {
    throw new StoreError(
      'older_data',
      `The data in ${dirname(cluster)} was written by PostgreSQL ${major}; ${binaries.source} PostgreSQL ${binaries.major}.`,
      `Nothing was changed. Start the whole console: it moves the data to PostgreSQL ${binaries.major}. Or choose another folder with --data.`,
    );
  }
  await giveTo(cluster, account);
}

/** Data that stand there under another name are no reason to begin with none. */
async function refuseBesideData(folder: string): Promise<void> {
  const kept = (await clustersBeside(folder)).map(({ name }) => name);
  const [name, ...others] = [...(await namesOfMoved(folder)), ...kept];
  if (name === undefined) return;
  throw new StoreError(
    'folder_unusable',
    `${folder} has no folder postgres, and data under another name: ${[name, ...others].join(', ')}.`,
    'Nothing was changed, and no empty console was made. Rename the data that you want to postgres, or move them out of that folder, and start again.',
  );
}

/** initdb works under another name and the result is renamed. So a cluster is whole or absent, whenever the console is killed. */
async function makeCluster(cluster: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  const folder = dirname(cluster);
  await removeUnfinished(folder);
  const unfinished = await mkdtemp(join(folder, `${unfinishedPrefix}${process.pid}.`));
  if (account) await chown(unfinished, account.uid, account.gid);
  const { exitCode, output } = await run(
    binaries.initdb,
    [
      ...['-D', unfinished, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--data-checksums'],
      // Order and case rules are the same on every system, whatever its locales.
      ...['--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'],
    ],
    binaries.env,
    account,
  );
  if (exitCode === 0) {
    await rename(unfinished, cluster).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await rm(unfinished, { recursive: true, force: true });
  if (exitCode === 0) return;
  if (output.includes('No space left on device')) throw diskFull(folder);
  throw new StoreError(
    'start_failed',
    `PostgreSQL could not make its data folder:\n${output.trim().split('\n').slice(-8).join('\n')}`,
    'Fix the cause that PostgreSQL names, or choose another folder with --data.',
  );
}

const unfinishedPrefix = 'postgres.unfinished.';

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(unfinishedPrefix)
      ? Number.parseInt(name.slice(unfinishedPrefix.length), 10)
      : undefined;
    // The initdb of a console that was killed goes on for a moment, and writes while its folder is removed. What stays is removed by the
    // next console that makes a cluster.
    if (pid && !isAlive(pid))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
        () => {},
      );
  }
}

/** Keeps a cluster that an ordinary user made usable when root starts the console later. */
export async function giveTo(cluster: string, account: Account | undefined): Promise<void> {
  if (!account || (await stat(cluster)).uid === account.uid) return;
  await chown(cluster, account.uid, account.gid);
  for (const entry of await readdir(cluster, { recursive: true })) {
    await chown(join(cluster, entry), account.uid, account.gid);
  }
}

function run(
  program: string,
  argv: string[],
  env: NodeJS.ProcessEnv,
  account: Account | undefined,
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, {
      env,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
