import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  isRunning,
  postmasterPid,
  query,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';
import { version } from './version.ts';

// Each test starts one to three whole consoles, and the machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

let data: Awaited<ReturnType<typeof temporaryFolder>>;
/** A data folder that a console has used once. Most tests begin with a copy, which is faster than making one. */
let seed: typeof data;
let started: ConsoleProcess[] = [];

beforeAll(async () => {
  buildServer();
  seed = await temporaryFolder();
  const console = startConsoleProcess([
    '--data',
    seed.path,
    '--only',
    'api',
    '--port',
    String(await freePort()),
  ]);
  await console.ready();
  console.child.kill('SIGTERM');
  expect(await console.ended).toBe(0);
});
afterAll(() => seed[Symbol.asyncDispose]());
beforeEach(async () => {
  data = await temporaryFolder();
});
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM');
    await ended;
  }
  started = [];
  await data[Symbol.asyncDispose]();
});

function start(argv: string[] = [], env: Record<string, string> = {}): ConsoleProcess {
  const console = startConsoleProcess(['--data', data.path, '--only', 'api,monitor', ...argv], env);
  started.push(console);
  return console;
}

async function startReady(): Promise<ConsoleProcess> {
  if (!existsSync(join(data.path, 'secret'))) spawnSync('cp', ['-a', `${seed.path}/.`, data.path]);
  const console = start(['--port', String(await freePort())]);
  await console.ready();
  return console;
}

async function save(text: string): Promise<void> {
  await query(
    data.path,
    "insert into outbox_messages (recipient, subject, body, created_at) values ('a@example.org', $1, '', 0)",
    [text],
  );
}

async function saved(): Promise<unknown[]> {
  const rows = await query(data.path, 'select subject from outbox_messages order by subject');
  return rows.map((row) => (row as { subject: string }).subject);
}

test('a signal ends the console and PostgreSQL, with nothing left behind', async () => {
  const console = await startReady();
  const postgres = await postmasterPid(data.path);
  console.child.kill('SIGINT');
  expect(await console.ended).toBe(0);
  expect(await isRunning(postgres)).toBe(false);
  expect(existsSync(join(data.path, 'postgres/postmaster.pid'))).toBe(false);
});

test('a console whose data a newer program has changed ends with words, and its next start says by its exit code that it is of no use', async () => {
  const console = await startReady();
  await query(data.path, "insert into migration (number, name, checksum) values (9999, 'newer', '')");
  await query(data.path, "select pg_notify('schema', '{\"number\":9999}')");
  // The supervisor tries once: its program may be the newer one by now.
  expect(await console.ended).toBe(1);
  expect(console.output()).toContain('The data was written by a newer Homeport (schema 9999;');
  const again = start(['--port', String(await freePort())]);
  expect(await again.ended).toBe(3);
  expect(again.output()).toContain('The data was written by a newer Homeport (schema 9999;');
});

test('a console runs and starts on data to which a newer program only added, so that the way back is the older package', async () => {
  const console = await startReady();
  await query(data.path, 'create table added (id integer)');
  await query(
    data.path,
    "insert into migration (number, name, checksum, needs) values (9999, 'newer', '', 0)",
  );
  console.child.kill('SIGTERM');
  expect(await console.ended).toBe(0);
  await startReady();
  expect(await query(data.path, 'select id from added')).toEqual([]);
});

test('after kill -9 of the console the next start stops its PostgreSQL and has everything saved', async () => {
  const first = await startReady();
  await save('one');
  const orphan = await postmasterPid(data.path);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');

  await startReady();
  expect(await isRunning(orphan)).toBe(false);
  expect(await saved()).toEqual(['one']);
});

test('a PostgreSQL that is killed again and again ends the console, which says what is kept, and the next start recovers', async () => {
  const first = await startReady();
  await save('one');
  let last = 0;
  await expect
    .poll(
      async () => {
        // Only a server that answers is killed, so that each kill is one that the console brought it back from.
        const answers = await query(data.path, 'select 1').catch(() => null);
        const pid = answers && (await postmasterPid(data.path).catch(() => last));
        if (pid && pid !== last) {
          last = pid;
          process.kill(pid, 'SIGKILL');
        }
        return first.child.exitCode;
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(1);
  expect(first.output()).toContain(
    `PostgreSQL was ended by SIGKILL, and did not stay up in 5 further starts.\nEverything saved is kept. Read ${data.path}/postgres.log`,
  );

  await startReady();
  expect(await saved()).toEqual(['one']);
});

test('after kill -9 of both the next start recovers', async () => {
  const first = await startReady();
  await save('one');
  const postgres = await postmasterPid(data.path);
  first.child.kill('SIGKILL');
  process.kill(postgres, 'SIGKILL');
  await first.ended;

  await startReady();
  await save('two');
  expect(await saved()).toEqual(['one', 'two']);
});

test('starts although another program has the number in the pid file now', async () => {
  const first = await startReady();
  const postgres = await postmasterPid(data.path);
  first.child.kill('SIGKILL');
  process.kill(postgres, 'SIGKILL');
  await first.ended;
  const file = join(data.path, 'postgres/postmaster.pid');
  await writeFile(file, (await readFile(file, 'utf8')).replace(String(postgres), String(process.pid)));

  await startReady();
  expect(await isRunning(process.pid)).toBe(true);
});

test('refuses a second console on the same data folder and names the process that uses it', async () => {
  const first = await startReady();
  const second = start(['--port', String(await freePort())]);
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(
    `Another Homeport (process ${first.child.pid}) is already running on the data folder ${data.path}.`,
  );
  await save('the first still works');
});

test('refuses a second console on the same port and names the address of the first', async () => {
  const port = await freePort();
  await start(['--port', String(port)]).ready();
  const second = start(['--port', String(port)]);
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Homeport is already running on http://127.0.0.1:${port}.`);
});

test('refuses a port of another program before anything starts', async () => {
  const other = createServer((_request, response) => response.end('something else'));
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const console = start(['--port', String(port)]);
  expect(await console.ended).toBe(1);
  expect(console.output()).toBe(
    `Port ${port} on 127.0.0.1 is taken by another program.\nChoose another port with --port, or stop that program.\n`,
  );
  expect(existsSync(join(data.path, 'postgres'))).toBe(false);
  await new Promise((resolve) => other.close(resolve));
});

test('refuses data with a newer schema and leaves the data unchanged', async () => {
  const first = await startReady();
  await query(data.path, "insert into migration (number, name, checksum) values (9999, 'later', '')");
  first.child.kill('SIGTERM');
  await first.ended;

  const older = start(['--port', String(await freePort())]);
  expect(await older.ended).toBe(3);
  expect(older.output()).toMatch(
    /^The data was written by a newer Homeport \(schema \d+; this program knows up to \d+\)\./,
  );
  expect(existsSync(join(data.path, 'postgres/postmaster.pid'))).toBe(false);
});

test('refuses data of a newer PostgreSQL', async () => {
  const first = await startReady();
  first.child.kill('SIGTERM');
  await first.ended;
  await writeFile(join(data.path, 'postgres/PG_VERSION'), '19\n');

  const older = start(['--port', String(await freePort())]);
  expect(await older.ended).toBe(3);
  expect(older.output()).toContain('was written by PostgreSQL 19; this Homeport brings PostgreSQL 18.');
});

const mounted = process.getuid?.() === 0 && process.platform === 'linux';

test.skipIf(!mounted)('names a full disk, and the next start with space recovers (needs root)', async () => {
  mount(data.path, '256m');
  try {
    const first = await startReady();
    await save('one');
    first.child.kill('SIGTERM');
    await first.ended;
    const ballast = join(data.path, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']);

    const full = start(['--port', String(await freePort())]);
    expect(await full.ended).toBe(1);
    expect(full.output()).toContain(`The disk that holds ${data.path} is full.\nFree some space there`);

    await rm(ballast);
    const again = await startReady();
    expect(await saved()).toEqual(['one']);
    again.child.kill('SIGTERM');
    await again.ended;
  } finally {
    spawnSync('umount', [data.path]);
  }
});

function mount(folder: string, size: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`no small disk could be made: ${stderr}`);
}

test('makes the secret once, readable by its owner only', async () => {
  const first = start(['--port', String(await freePort())]);
  await first.ready();
  const file = join(data.path, 'secret');
  const secret = await readFile(file, 'utf8');
  expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  first.child.kill('SIGTERM');
  await first.ended;
  await startReady();
  expect(await readFile(file, 'utf8')).toBe(secret);
});

test('a monitor without an api checks sessions and takes part in no operation', async () => {
  spawnSync('cp', ['-a', `${seed.path}/.`, data.path]);
  const port = await freePort();
  await start(['--port', String(port), '--only', 'monitor']).ready();
  expect((await fetch(`http://127.0.0.1:${port}/monitor/dumps`)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${port}/api/configuration`)).status).toBe(404);
  expect(await query(data.path, 'select id from replicas')).toEqual([]);
});

test('--version and --help answer and end without starting anything', async () => {
  const console = start(['--version']);
  expect(await console.ended).toBe(0);
  expect(console.output()).toBe(`${version}\n`);
  const help = start(['--help']);
  expect(await help.ended).toBe(0);
  expect(help.output()).toContain('--port number');
  expect(existsSync(join(data.path, 'postgres'))).toBe(false);
});

test('names a mistake in a setting and does not repeat its value', async () => {
  const console = start([], { HOMEPORT_SECRET: 'hunter2', HOMEPORT_PROT: '1' });
  expect(await console.ended).toBe(1);
  expect(console.output()).toContain('HOMEPORT_PROT is not a setting of Homeport.');
  expect(console.output()).toContain('HOMEPORT_SECRET has less than 32 characters.');
  expect(console.output()).not.toContain('hunter2');
});
