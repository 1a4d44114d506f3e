import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacksRealDatabases } from '../testing/real-databases.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { pathsOf } from './machine/paths.ts';
import { signal } from './machine/processes.ts';
import { serviceKinds } from './services/kinds.ts';
import { heldDataOf } from './services/service.ts';

// The command of Homeport's plugin that proves dumps, run by bash on the sandbox. PostgreSQL and Redis are real servers.

const name = dokku.serviceName('main-db');
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-tests-'));
  chmodSync(folder, 0o755);
  host = await prepareSandboxHost({
    root: join(folder, 'host'),
    plugins: ['postgres', 'mysql', 'mongo', 'redis', 'memcached'],
    databases: 'real',
  });
  const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
  await succeed(dokku.plugin.enable('homeport'));
}, 120_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = (words: readonly string[], input = ''): Promise<dokku.Outcome> =>
  new Promise((resolve) => {
    const options = { env: host.env, encoding: 'latin1', maxBuffer: 64 << 20 } as const;
    execFile('dokku', [...words], options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    ).stdin?.end(input);
  });

async function succeed({ words }: Pick<dokku.Command, 'words'>, input = ''): Promise<dokku.Outcome> {
  const outcome = await run(words, input);
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  return outcome;
}

const id = () => dokku.dumps.dumpId(randomUUID());
const paths = () => pathsOf(host.root);
const servicesOf = (type: DatabaseTypeName) => readdirSync(join(paths().services, type));
const marks = () => readdirSync(join(paths().pluginData, 'tests'));
const ask = (type: DatabaseTypeName, statements: string) =>
  succeed({ words: [`${type}:connect`, name] }, statements);

async function dump(type: DatabaseTypeName): Promise<dokku.dumps.ReportedDump> {
  const made = id();
  await succeed(dokku.dumps.make(type, name, made, 'made'));
  const found = (await list(type)).dumps.find((each) => each.id === made);
  if (!found) throw new Error('The dump is not listed.');
  return found;
}
const list = async (type: DatabaseTypeName) =>
  dokku.dumps.readDumps(await succeed(dokku.dumps.list(type, name)));

async function prove(type: DatabaseTypeName, of: dokku.dumps.DumpId, as = id()) {
  const test = dokku.dumps.readTest(await succeed(dokku.dumps.test(type, name, of, as)));
  // Nothing of the test is left, and the tested service is there.
  expect(servicesOf(type)).toEqual([name]);
  expect(marks()).toEqual([]);
  return test;
}

describe.skipIf(lacksRealDatabases)('a restore test of postgres', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await succeed(dokku.service.create('postgres', name));
    await ask(
      'postgres',
      `create table lamps (id int); insert into lamps select generate_series(1, 40);
       create schema "of ""x"""; create table "of ""x"""."a;b" (note text); insert into "of ""x"""."a;b" values ('1'), ('2');\n`,
    );
  });

  test('counts tables and rows, finds those of the dump, and leaves nothing behind', async () => {
    const made = await dump('postgres');
    expect(made.counts).toEqual({ parts: 2, least: 42, most: 42 });
    await ask('postgres', 'delete from lamps;\n');
    const told = await prove('postgres', made.id);
    expect(told).toMatchObject({
      dumpId: made.id,
      dumpMadeAt: made.madeAt,
      outcome: 'same',
      found: { parts: 2, entries: 42 },
      expected: made.counts,
      failure: '',
    });
    expect((await list('postgres')).tests).toEqual([told]);
    await ask('postgres', 'insert into lamps select generate_series(1, 40);\n');
  });

  test('says that the restored dump holds something else than was counted', async () => {
    const made = await dump('postgres');
    writeFileSync(join(paths().pluginData, 'dumps/postgres', name, made.id, 'counts'), '2 50 60\n');
    expect(await prove('postgres', made.id)).toMatchObject({
      outcome: 'different',
      found: { parts: 2, entries: 42 },
      expected: { parts: 2, least: 50, most: 60 },
    });
  });

  test('of an upload has nothing to compare, and tells what it holds', async () => {
    const { stdout } = await run(['postgres:export', name]);
    const sent = id();
    const words = dokku.dumps.write('postgres', name, sent, Buffer.byteLength(stdout, 'latin1')).words;
    await new Promise<void>((resolve) => {
      execFile('dokku', [...words], { env: host.env }, () => resolve()).stdin?.end(stdout, 'latin1');
    });
    expect(await prove('postgres', sent)).toMatchObject({
      outcome: 'restored',
      found: { parts: 2, entries: 42 },
      expected: null,
    });
  });

  test('of a file that is no archive fails, with what the import said', async () => {
    const sent = id();
    await succeed(dokku.dumps.write('postgres', name, sent, 5), 'lamps');
    expect(await prove('postgres', sent)).toMatchObject({
      outcome: 'failed',
      found: null,
      failure: expect.stringContaining('The import failed. pg_restore: error: input file'),
    });
  });

  test('that ended is told again, and not made again', async () => {
    const made = await dump('postgres');
    const as = id();
    const told = await prove('postgres', made.id, as);
    expect(await prove('postgres', made.id, as)).toEqual(told);
    expect((await list('postgres')).tests.filter((each) => each.id === as)).toHaveLength(1);
  });

  test('tells no password, and keeps none', async () => {
    const password = readFileSync(join(paths().services, 'postgres', name, 'PASSWORD'), 'utf8').trim();
    host.setFault('service', true);
    const failed = await prove('postgres', (await dump('postgres')).id);
    host.setFault('service', false);
    expect(failed).toMatchObject({
      outcome: 'failed',
      failure: expect.stringContaining('could not be made'),
    });
    const kept = readFileSync(join(paths().pluginData, 'dumps/postgres', name, '.tests'), 'utf8');
    expect(kept).not.toContain(password);
    expect(kept).not.toContain('postgres://');
  });

  test('that was killed is cleaned up by the next one, and only a marked service is', async () => {
    const made = await dump('postgres');
    const killed = id();
    const words = dokku.dumps.test('postgres', name, made.id, killed).words;
    const gone = new Promise<void>((resolve) => {
      execFile('dokku', [...words], { env: host.env }, () => resolve());
    });
    await expect.poll(marks, { timeout: 20_000, interval: 10 }).toHaveLength(1);
    const [mark = ''] = marks();
    await expect.poll(() => servicesOf('postgres'), { timeout: 20_000, interval: 10 }).toHaveLength(2);
    signal(Number(readFileSync(join(paths().pluginData, 'tests', mark), 'utf8')), 'SIGKILL');
    await gone;
    const left = mark.slice('postgres.'.length);
    // The killed command's own child may still make the service; afterwards it is not listed, because it is nobody's.
    await expect
      .poll(async () => (await run(['postgres:info', left, '--status'])).stdout.trim(), { timeout: 30_000 })
      .toBe('running');
    expect((await run(['homeport:databases'])).stdout).not.toContain(`"name":"${left}"`);
    await succeed(dokku.service.create('postgres', dokku.serviceName('homeport-test-of-a-person')));
    expect(
      dokku.dumps.readTest(await succeed(dokku.dumps.test('postgres', name, made.id, id()))),
    ).toMatchObject({
      outcome: 'same',
    });
    expect(servicesOf('postgres').toSorted()).toEqual(['homeport-test-of-a-person', name].toSorted());
    expect(marks()).toEqual([]);
    expect((await list('postgres')).tests.some((each) => each.id === killed)).toBe(false);
  }, 120_000);
});

test.skipIf(lacksRealDatabases)(
  'a restore of redis brings the keys back, and its test counts them',
  async () => {
    await succeed(dokku.service.create('redis', name));
    await ask('redis', 'SET lamp lit\nSET shade green\nSET soon gone EX 1000\nSELECT 3\nSET other db\n');
    const made = await dump('redis');
    expect(made.counts).toEqual({ parts: 0, least: 3, most: 4 });
    await ask('redis', 'FLUSHALL\n');
    await succeed(dokku.dumps.restore('redis', name, made.id, id()));
    await expect.poll(async () => (await run(['redis:connect', name], 'GET lamp\n')).stdout).toBe('lit\n');
    expect(await prove('redis', made.id)).toMatchObject({ outcome: 'same', found: { parts: 0, entries: 4 } });
  },
);

// Stand-ins: the file that stands for the data is one table or collection with a row for each line.
test.each(['mysql', 'mongo'] as const)(
  'a restore test of %s compares what its client counts',
  async (type) => {
    await succeed(dokku.service.create(type, name));
    const held = heldDataOf(paths(), serviceKinds[type], name);
    writeFileSync(held, 'one\ntwo\n');
    const made = await dump(type);
    expect(made.counts).toEqual({ parts: 1, least: 2, most: 2 });
    expect(await prove(type, made.id)).toMatchObject({ outcome: 'same', found: { parts: 1, entries: 2 } });
    expect(readFileSync(held, 'utf8')).toBe('one\ntwo\n');
  },
);

test('hostile names are refused, and make nothing', async () => {
  for (const text of ['../main-db', '-rf', '$(id)', '']) {
    for (const words of [
      ['homeport:restore-test', 'mysql', text, id(), id()],
      ['homeport:restore-test', 'mysql', name, text, id()],
      ['homeport:restore-test', 'mysql', name, id(), text],
      ['homeport:restore-test', text, name, id(), id()],
    ])
      expect(await run(words)).toMatchObject({ exitCode: 1, stdout: '' });
  }
  expect(existsSync(join(paths().pluginData, 'tests')) ? marks() : []).toEqual([]);
});
