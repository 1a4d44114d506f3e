import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../embedded/account.ts';
import { type Binaries, programsIn } from '../embedded/named-programs.ts';
import { StoreError } from '../store-error.ts';

type Places = {
  /** HOMEPORT_POSTGRES_BEFORE. */
  named: string | undefined;
  /** Where an installation that may not be written keeps copies of its programs. */
  copies: string;
  account: Account | undefined;
};

/** The programs that read data of this major version: named ones, those of an earlier Homeport, or those of the system. Throws `StoreError`. */
export async function olderPrograms(major: number, { named, copies, account }: Places): Promise<Binaries> {
  if (named !== undefined) {
    const programs = await programsIn(named, account, 'HOMEPORT_POSTGRES_BEFORE');
    if (programs.major === major) return programs;
    throw new StoreError(
      'older_data',
      `HOMEPORT_POSTGRES_BEFORE names PostgreSQL ${programs.version}, and the data were written by PostgreSQL ${major}.`,
      `Nothing was changed. Name the programs of PostgreSQL ${major}.`,
    );
  }
  for (const folder of [...(await copiesOf(copies, major)), ...usualFolders(major)]) {
    if (!existsSync(join(folder, 'postgres'))) continue;
    // What does not start, or may not be entered, is as good as missing.
    const programs = await programsIn(folder, account).catch(() => undefined);
    if (programs?.major === major) return programs;
  }
  throw notHere(major);
}

async function copiesOf(copies: string, major: number): Promise<string[]> {
  const names = await readdir(copies).catch((): string[] => []);
  return names
    .filter((name) => name.startsWith(`postgresql-${major}.`))
    .map((name) => join(copies, name, 'native/bin'));
}

/** Of Debian and Ubuntu, of Red Hat and its kin, and of Homebrew. */
const usualFolders = (major: number): string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
  `/usr/local/opt/postgresql@${major}/bin`,
];

const notHere = (major: number) =>
  new StoreError(
    'older_data',
    `The data were written by PostgreSQL ${major}, and its programs, which read them once more, are not on this machine.`,
    `Nothing was changed. Install PostgreSQL ${major} (on Debian and Ubuntu: apt install postgresql-${major}, of their own sources or of apt.postgresql.org; its service is not needed), or name the folder of its programs in HOMEPORT_POSTGRES_BEFORE, and start again. Or start the Homeport of before.`,
  );
