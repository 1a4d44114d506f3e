import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StartProgram } from '../../machine/call.ts';
import type { Paths } from '../../machine/paths.ts';
import type { ServiceKind } from '../kinds.ts';
import type { Service } from '../service.ts';

/** The programs of a real database server of this machine, which a service of the sandbox runs in place of an image. */
export type Engine = {
  /** The version of the programs, as an image's tag would name it. */
  version(): string;
  /** How Docker asks this server's container to end: the image's STOPSIGNAL. */
  readonly stopSignal: NodeJS.Signals;
  /** Makes the data of a new service: one database without tables or keys, with the service's password. */
  create(place: ServicePlace): void;
  /** A line of sh that becomes the server. */
  command(place: ServicePlace): string;
  /** Whether the server answers questions. */
  isReady(place: ServicePlace): boolean;
  /** Prints the dump that the service plugin prints. Resolves with the exit code. */
  exportData(place: ServicePlace, start: StartProgram): Promise<number>;
  /** Reads a dump from stdin. Resolves with the exit code. */
  importData(place: ServicePlace, start: StartProgram): Promise<number>;
  /** The client of the type, with the caller's streams. Resolves with the exit code. */
  connect(place: ServicePlace, start: StartProgram): Promise<number>;
};

/** Where a service's server has its files, and where it listens. */
export type ServicePlace = {
  readonly service: Service;
  readonly folder: string;
  readonly dataFolder: string;
  /** An address of its own, as a container has one, so that each server listens on its type's usual port. */
  readonly address: string;
  readonly account: Account;
  /** For what all services of a sandbox share. */
  readonly shared: string;
};

/** Whom the server runs as. PostgreSQL refuses to run as root. */
type Account = { readonly uid: number; readonly gid: number };

/** A loopback address that only this service of this sandbox has. Linux answers on all of 127.0.0.0/8. */
export function addressOfService(paths: Paths, { type }: ServiceKind, name: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${paths.root}\0${type}\0${name}`).digest();
  return `127.${64 + (a % 128)}.${b}.${1 + (c % 254)}`;
}

/** The account of the servers, or null where the sandbox runs as root and no such account may reach the folder. */
export function accountFor(folder: string): Account | null {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return own;
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = rows.find(([found]) => found === name) ?? [];
    if (uid !== undefined && gid !== undefined && maySearch(folder))
      return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** Whether every account may pass through the folder and those above it. */
function maySearch(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || maySearch(dirname(folder));
}

/** The folder that holds all of the programs; undefined: none does. */
export const folderWith = (folders: readonly string[], programs: readonly string[]) =>
  folders.find((folder) => programs.every((program) => isProgram(join(folder, program))));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folders beneath another, the highest number first: Debian has a folder for each version. */
export function versionFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The first number with dots in what a program answers to `--version`. @throws Error where it names none */
export function versionOfProgram(program: string): string {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = stdout.split(/[^\d.]/).find((word) => /^\d+\.\d/.test(word));
  if (version === undefined) throw new Error(`${program} names no version.`);
  return version;
}

/** Runs a program under the account of the servers. @throws Error with what the program wrote. */
export function runAs(
  { uid, gid }: Account,
  program: string,
  argv: readonly string[],
  input: string | undefined = undefined,
): void {
  execFileSync(program, argv, {
    uid,
    gid,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
}

/** The words before a server's own that make it run under the account: setpriv(1) of util-linux. */
export const underAccount = ({ uid, gid }: Account) =>
  process.getuid?.() === 0 ? `/usr/bin/setpriv --reuid=${uid} --regid=${gid} --clear-groups --` : '';
