import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacksRealDatabases } from '../testing/real-databases.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { allContainers, stateOf } from './machine/containers.ts';
import { pathsOf } from './machine/paths.ts';
import { isAlive } from './machine/processes.ts';

// Services that run the servers of this machine: PostgreSQL and Redis.

let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-real-'));
  chmodSync(folder, 0o755);
  host = await prepareSandboxHost({ root: join(folder, 'host'), databases: 'real' });
});
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Ran = { exitCode: number; stdout: Buffer; stderr: string };

const run = (program: string, words: readonly string[], input: string | Buffer = '', env = host.env) =>
  new Promise<Ran>((resolve) => {
    const options = { env, encoding: 'buffer', maxBuffer: 64 << 20 } as const;
    execFile(program, [...words], options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr: String(stderr) }),
    ).stdin?.end(input);
  });
const dokku = (words: string, input?: string | Buffer) => run('dokku', words.split(' '), input);

async function succeed(words: string, input?: string | Buffer): Promise<string> {
  const ran = await dokku(words, input);
  expect(ran).toMatchObject({ exitCode: 0 });
  return ran.stdout.toString();
}

async function answers(words: string, input: string, answer: string): Promise<void> {
  await expect.poll(async () => (await dokku(words, input)).stdout.toString()).toContain(answer);
}

describe.skipIf(lacksRealDatabases)('postgres', { timeout: 120_000 }, () => {
  const rows = () => dokku('postgres:connect books', 'select count(*) as rows from lamps;\n');

  test('is a server with its own password, which answers at its connection string', async () => {
    await succeed('postgres:create books');
    expect(
      await succeed('postgres:connect books', 'create table lamps (id int); select current_database();\n'),
    ).toContain('books');
    await succeed('postgres:connect books', 'insert into lamps select generate_series(1, 40);\n');
    const dsn = new URL((await succeed('postgres:info books --dsn')).trim());
    const address = (await succeed('postgres:info books --internal-ip')).trim();
    const login = (password: string) =>
      run(
        'psql',
        ['-h', address, '-U', dsn.username, '-d', dsn.pathname.slice(1), '-tc', 'select 41 + 1'],
        '',
        {
          ...host.env,
          PGPASSWORD: password,
        },
      );
    expect((await login(dsn.password)).stdout.toString().trim()).toBe('42');
    expect((await login('another')).stderr).toContain('password authentication failed');
  });

  test('names the version that answers, also where another one was asked for', async () => {
    await succeed('postgres:create newest --image-version 99.9');
    const answer = await succeed('postgres:connect newest', 'show server_version;\n');
    const [version] = /\d+\.\d+/.exec(answer) ?? [];
    expect((await succeed('postgres:info newest --version')).trim()).toBe(`postgres:${version}`);
    await succeed('postgres:destroy newest --force');
  });

  test('keeps its rows when it is paused, restarted, and stopped so that its container goes', async () => {
    for (const way of ['pause', 'stop']) {
      await succeed(`postgres:${way} books`);
      expect((await rows()).exitCode).toBe(1);
      await succeed('postgres:start books');
      await answers('postgres:connect books', 'select count(*) from lamps;\n', '40');
    }
    await succeed('postgres:restart books');
    await answers('postgres:connect books', 'select count(*) from lamps;\n', '40');
  });

  test('is reached through an exposed port', async () => {
    const port = await freePort();
    await succeed(`postgres:expose books ${port}`);
    const dsn = new URL((await succeed('postgres:info books --dsn')).trim());
    const words = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'books', '-tc'];
    const ran = await run('psql', [...words, 'select count(*) from lamps'], '', {
      ...host.env,
      PGPASSWORD: dsn.password,
    });
    expect(ran.stdout.toString().trim()).toBe('40');
    await succeed('postgres:unexpose books');
  });

  test('exports an archive of pg_dump, and an import brings the rows into another service', async () => {
    const { stdout: archive } = await dokku('postgres:export books');
    expect(archive.subarray(0, 5).toString()).toBe('PGDMP');
    await succeed('postgres:create copy');
    await succeed('postgres:import copy', archive);
    expect(await succeed('postgres:connect copy', 'select count(*) from lamps;\n')).toContain('40');
    const refused = await dokku('postgres:import copy', 'no archive');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('valid archive');
    expect(await succeed('postgres:connect copy', 'select count(*) from lamps;\n')).toContain('40');
  });

  test('ends with its service, and then with the sandbox', async () => {
    const paths = pathsOf(host.root);
    const groups = (name: string) =>
      allContainers(paths)
        .filter(({ service }) => service?.name === name)
        .map(({ id }) => stateOf(paths, id)?.group ?? 0);
    const [copy = 0] = groups('copy');
    const [books = 0] = groups('books');
    expect([isAlive(copy, null), isAlive(books, null)]).toEqual([true, true]);
    await succeed('postgres:destroy copy --force');
    expect(isAlive(copy, null)).toBe(false);
    await host.dispose();
    expect(isAlive(books, null)).toBe(false);
    host = await prepareSandboxHost({ root: host.root, databases: 'real' });
    await succeed('postgres:start books');
    await answers('postgres:connect books', 'select count(*) from lamps;\n', '40');
  });
});

describe.skipIf(lacksRealDatabases)('redis', { timeout: 120_000 }, () => {
  test('is a server with its own password, which keeps its keys when it is paused', async () => {
    await succeed('redis:create cache');
    expect(await succeed('redis:connect cache', 'SET lamp lit\nGET lamp\n')).toBe('OK\nlit\n');
    const address = (await succeed('redis:info cache --internal-ip')).trim();
    expect((await run('redis-cli', ['-h', address, 'PING'])).stdout.toString()).toContain('NOAUTH');
    await succeed('redis:pause cache');
    await succeed('redis:start cache');
    await answers('redis:connect cache', 'GET lamp\n', 'lit');
  });

  test('exports a snapshot, and loses its data to an import, as with the official image', async () => {
    const { stdout: snapshot } = await dokku('redis:export cache');
    expect(snapshot.subarray(0, 5).toString()).toBe('REDIS');
    const imported = await dokku('redis:import cache', snapshot);
    expect(imported.exitCode).toBe(1);
    expect(imported.stderr).toContain('Permission denied');
    expect((await succeed('redis:info cache --status')).trim()).toBe('missing');
    await succeed('redis:start cache');
    await answers('redis:connect cache', 'DBSIZE\n', '0');
  });
});
