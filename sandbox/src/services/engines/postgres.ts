import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type Engine,
  folderWith,
  runAs,
  type ServicePlace,
  underAccount,
  versionFolders,
  versionOfProgram,
} from './engine.ts';

const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_isready', 'psql'];
const port = '5432';

/** Debian's PostgreSQL of the highest version that this machine has whole. */
export function postgresEngine(): Engine | null {
  const folders = versionFolders('/usr/lib/postgresql').map((folder) => join(folder, 'bin'));
  const bin = folderWith(folders, programs);
  if (bin === undefined) return null;
  const login = ({ service, address }: ServicePlace) => ({
    argv: ['-h', address, '-p', port, '-U', 'postgres', '-w'],
    env: { PGPASSWORD: service.password, LC_ALL: 'C.UTF-8' },
    database: service.name.replaceAll(/[.-]/g, '_'),
  });
  return {
    version: () => versionOfProgram(join(bin, 'postgres')),
    // Ends sessions that are open; SIGTERM waits for them.
    stopSignal: 'SIGINT',
    create(place) {
      cpSync(template(bin, place), dataOf(place), { recursive: true, preserveTimestamps: true });
      giveAll(place);
      const { password } = place.service;
      const { database } = login(place);
      // One user in one process without a network: each line is a statement, and no password stands in an argv.
      runAs(
        place.account,
        join(bin, 'postgres'),
        ['--single', '-D', dataOf(place), '-c', 'fsync=off', 'postgres'],
        `ALTER USER postgres PASSWORD '${password.replaceAll("'", "''")}'\nCREATE DATABASE "${database}"\n`,
      );
    },
    command: (place) =>
      [
        `exec ${underAccount(place.account)} ${join(bin, 'postgres')} -D '${dataOf(place)}' -p ${port}`,
        `-c listen_addresses=${place.address} -c unix_socket_directories= -c shared_buffers=16MB`,
        '-c max_connections=30 -c fsync=off -c full_page_writes=off',
      ].join(' '),
    isReady: ({ address }) =>
      spawnSync(join(bin, 'pg_isready'), ['-q', '-h', address, '-p', port], { stdio: 'ignore' }).status === 0,
    exportData(place, start) {
      const { argv, env, database } = login(place);
      return start([join(bin, 'pg_dump'), '-Fc', '--no-acl', '--no-owner', ...argv, database], env);
    },
    importData(place, start) {
      const { argv, env, database } = login(place);
      return start([join(bin, 'pg_restore'), '-cO', '--if-exists', ...argv, '-d', database], env);
    },
    connect(place, start) {
      const { argv, env, database } = login(place);
      return start([join(bin, 'psql'), '-v', 'ON_ERROR_STOP=1', ...argv, database], env);
    },
  };
}

const dataOf = ({ dataFolder }: ServicePlace) => join(dataFolder, 'pgdata');

/** A cluster as initdb makes it, which takes most of a creation's time: made once for a sandbox, and copied. */
function template(bin: string, { shared, account }: ServicePlace): string {
  const made = join(shared, 'postgres');
  if (existsSync(made)) return made;
  mkdirSync(shared, { recursive: true });
  const unfinished = mkdtempSync(join(shared, 'unfinished-'));
  chownSync(unfinished, account.uid, account.gid);
  const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  runAs(account, join(bin, 'initdb'), ['-D', unfinished, ...how]);
  writeFileSync(join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.0/8 scram-sha-256\n');
  try {
    renameSync(unfinished, made);
  } catch {
    // Another creation was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return made;
}

/** cp(1) keeps owners for root only, and Node's copy keeps none. */
function giveAll(place: ServicePlace): void {
  const { uid, gid } = place.account;
  if (process.getuid?.() === 0)
    spawnSync('chown', ['-R', `${uid}:${gid}`, dataOf(place)], { stdio: 'ignore' });
  spawnSync('chmod', ['0700', dataOf(place)], { stdio: 'ignore' });
}
