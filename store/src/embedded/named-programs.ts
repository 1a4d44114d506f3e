import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StoreError } from '../store-error.ts';
import { type Account, blockedAt } from './account.ts';

/** Where the server's programs are, and the environment that they start with. */
export type Binaries = {
  postgres: string;
  initdb: string;
  env: NodeJS.ProcessEnv;
  /** As `18.4`. */
  version: string;
  major: number;
  /** Whose programs they are, for a message: `this Homeport brings`. */
  source: string;
};

const answersWithinMs = 30_000;

/** The programs of a PostgreSQL that the operator installed and renews. Whatever their version: the caller judges it. Throws `StoreError`. */
export async function programsIn(
  folder: string,
  account: Account | undefined,
  setting = 'HOMEPORT_POSTGRES',
): Promise<Binaries> {
  const programs = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
  for (const program of Object.values(programs))
    if (!existsSync(program)) throw unusable(`${setting} names ${folder}, where ${program} is not.`);
  const blocked = account && (await blockedAt(folder, account));
  if (account && blocked)
    throw unusable(
      `PostgreSQL refuses to run as root, so it runs as "${account.name}", who may not enter ${blocked}, in which ${setting} is.`,
    );
  const lib = join(dirname(folder), 'lib');
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: lib, LC_ALL: 'C', TZ: 'UTC' };
  const version = await versionOf(programs.postgres, { env, account, setting });
  return {
    ...{ ...programs, env, version, major: Number.parseInt(version, 10) },
    source: `${setting} names`,
  };
}

/** Asks as the account that runs the server: who may write into that folder is not root for that. */
async function versionOf(
  program: string,
  { env, account, setting }: { env: NodeJS.ProcessEnv; account: Account | undefined; setting: string },
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'], {
    ...{ env, cwd: '/', timeout: answersWithinMs },
    ...(account && { uid: account.uid, gid: account.gid }),
  }).catch((error: Error) => {
    throw unusable(`${program}, which ${setting} names, does not start: ${lastLine(error.message)}.`);
  });
  const version = /\(PostgreSQL\) (\d{1,3}(?:\.\d{1,3}|[a-z]+\d{1,3}))/.exec(stdout)?.[1];
  if (version === undefined) throw unusable(`${program}, which ${setting} names, is no PostgreSQL.`);
  return version;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';

function unusable(what: string): StoreError {
  return new StoreError(
    'no_binaries',
    what,
    'Nothing was changed. Name the folder with the programs postgres and initdb, such as /usr/lib/postgresql/18/bin, or leave the setting out: Homeport brings a PostgreSQL of its own.',
  );
}
