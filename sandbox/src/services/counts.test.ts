import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { folderWith } from './engines/engine.ts';

// How Homeport's plugin counts the data of a service, through the client that the service plugins start: with the words that their
// `connect` gives it. MariaDB's client and server take MySQL's words, and Debian has both.

const searched = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
const [client, server, installer] = ['mariadb', 'mariadbd', 'mariadb-install-db'].map((program) => {
  const found = folderWith(searched, [program]);
  return found === undefined ? undefined : join(found, program);
});
/** `npm test` installs them as root, so that the test is skipped for an ordinary user only, and never in CI. */
const lacksMariaDb =
  process.getuid?.() !== 0 && process.env.CI !== 'true' && (!client || !server || !installer);

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-counts-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'plugins'));
  symlinkSync(
    fileURLToPath(new URL('../../../dokku/plugin', import.meta.url)),
    join(folder, 'plugins/homeport'),
  );
  program('docker', 'echo running');
  env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    PLUGIN_AVAILABLE_PATH: join(folder, 'plugins'),
    PLUGIN_PATH: join(folder, 'plugins'),
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program into the PATH of the plugin. */
const program = (name: string, text: string) =>
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

const bash = (script: string, input = '') =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const words = ['-c', script];
    execFile('bash', words, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ).stdin?.end(input);
  });

/** `parts least most`, as the plugin keeps them. */
const count = async (type: string) => {
  const counted = `source "$PLUGIN_AVAILABLE_PATH/homeport/count-functions"; count_data ${type} books 0 && echo "$REPLY"`;
  const { code, stdout, stderr } = await bash(counted);
  return code === 0 ? stdout.trim() : `failed: ${stderr}`;
};

describe.skipIf(lacksMariaDb)('MySQL’s client', { timeout: 120_000 }, () => {
  let socket: string;
  let running: ReturnType<typeof spawn>;
  beforeAll(async () => {
    socket = join(folder, 'socket');
    const data = join(folder, 'data');
    const user = process.getuid?.() === 0 ? ['--user=root'] : [];
    await run(installer ?? 'mariadb-install-db', [
      ...['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'],
      ...['--skip-test-db', ...user, ...baseOf(installer)],
    ]);
    running = spawn(
      server ?? 'mariadbd',
      [
        ...['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, `--pid-file=${folder}/pid`],
        ...['--skip-networking', '--innodb-buffer-pool-size=16M', ...user, ...baseOf(installer)],
      ],
      { stdio: 'ignore' },
    );
    const login = (words: string) => `exec ${client ?? 'mariadb'} --no-defaults --socket=${socket} ${words}`;
    program('root-client', login('--user=root'));
    // As the plugin's own `connect` starts the client: a password in its words, no terminal, statements on stdin.
    program(
      'dokku',
      `[ "$1" = mysql:connect ] || exit 1\n${login('--user=mysql --password=lantern --database=books')}`,
    );
    await vi.waitFor(async () => expect((await bash('root-client', 'select 1;')).code).toBe(0), 60_000);
    const made = await bash(
      'root-client',
      "create database books; create user mysql@localhost identified by 'lantern'; grant all on books.* to mysql@localhost;",
    );
    expect(made).toMatchObject({ code: 0 });
  }, 120_000);
  afterAll(async () => {
    if (running?.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  });

  const sql = async (statements: string) =>
    expect(await bash('dokku mysql:connect books', statements)).toMatchObject({ code: 0 });

  test('counts a database without tables', async () => {
    expect(await count('mysql')).toBe('0 0 0');
  });

  test('counts every row of every table, whatever the table’s name, and no view', async () => {
    await sql(`create table lamps (id int);
insert into lamps values (1), (2), (3);
create table \`a \`\`b\` (id int); insert into \`a \`\`b\` values (1);
create table \`select count(*) from lamps;\` (id int); insert into \`select count(*) from lamps;\` values (1), (2);
create table \`back\\slash\` (id int); insert into \`back\\slash\` values (1), (2), (3), (4);
create table \`two
lines\` (id int); insert into \`two
lines\` values (1);
create table \`$(touch /tmp/x)\` (id int);
create view lit as select * from lamps;
`);
    expect(await count('mysql')).toBe('6 11 11');
  });

  test('counts nothing where a table cannot be read', async () => {
    await sql('create view broken as select * from lamps; create table kept (id int); drop view broken;');
    await bash(
      'root-client',
      'revoke all on books.* from mysql@localhost; grant select on books.kept to mysql@localhost;',
    );
    // Only what the account may see is listed.
    expect(await count('mysql')).toBe('1 0 0');
    await bash('root-client', 'drop user mysql@localhost;');
    expect(await count('mysql')).toContain('failed');
  });
});

test('MongoDB’s shell writes prompts around its answers, and the numbers are found', async () => {
  program('dokku', `cat >/dev/null; printf 'books> \\nbooks> 12\\nbooks> counted 3 12\\n\\nbooks> '`);
  expect(await count('mongo')).toBe('3 12 12');
  program(
    'dokku',
    `cat >/dev/null; printf 'MongoServerError: not authorized on books to execute command\\n'; exit 1`,
  );
  expect(await count('mongo')).toContain('failed');
});

test('the numbers of Redis leave out keys that may expire', async () => {
  program(
    'dokku',
    `cat >/dev/null; printf '# Keyspace\\r\\ndb0:keys=3,expires=1,avg_ttl=0\\r\\ndb2:keys=4,expires=0\\r\\n'`,
  );
  expect(await count('redis')).toBe('0 6 7');
});

/** MariaDB looks for its files beside its programs, where these do not stand in /usr. */
const baseOf = (path: string | undefined): string[] =>
  path === undefined || path.startsWith('/usr/bin/')
    ? []
    : [`--basedir=${path.slice(0, path.lastIndexOf('/bin/'))}`];

const run = (path: string, words: readonly string[]) =>
  new Promise<void>((resolve, reject) => {
    execFile(path, [...words], (error) => (error ? reject(error) : resolve()));
  });
