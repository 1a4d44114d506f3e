import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// The commands of Homeport's plugin that tell of databases, run by bash on the sandbox, against the answers of the service plugins.

const app = dokku.appName('shop');
const other = dokku.appName('blog');
const main = dokku.serviceName('main-db');
const cache = dokku.serviceName('cache');
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-databases-'));
  host = await prepareSandboxHost({
    root: join(folder, 'host'),
    plugins: ['postgres', 'memcached', 'mongo'],
    counted: true,
  });
  const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
  await succeed(dokku.plugin.enable('homeport'));
  await succeed(dokku.apps.create(app));
  await succeed(dokku.apps.create(other));
  await succeed(dokku.service.create('postgres', main, { memoryMb: 256 }));
  await succeed(dokku.service.create('memcached', cache));
  for (const linked of [app, other]) await succeed(dokku.service.link('postgres', main, linked));
  await succeed(dokku.service.link('memcached', cache, app));
}, 120_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function dokkuRun(words: readonly string[]): Promise<dokku.Outcome> {
  return new Promise((resolve) =>
    execFile('dokku', words, { env: host.env }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
}

const run = (command: dokku.Command) => dokkuRun(command.words);
async function succeed(command: dokku.Command): Promise<dokku.Outcome> {
  const outcome = await run(command);
  expect(outcome).toMatchObject({ exitCode: 0 });
  return outcome;
}

async function told(type: 'postgres' | 'memcached' | 'mongo' = 'postgres', name = main) {
  const database = dokku.homeport.readDatabaseState(await succeed(dokku.homeport.databaseState(type, name)));
  if (!database) throw new Error('The plugin told of no database.');
  return database;
}

const states = async () => dokku.homeport.readDatabaseStates(await succeed(dokku.homeport.databaseStates()));

test('the state agrees with the info block, field by field', async () => {
  const info = dokku.service.readInfo(await succeed(dokku.service.info('postgres', main)));
  expect(await told()).toEqual({
    type: 'postgres',
    name: 'main-db',
    state: info.state,
    imageVersion: info.imageVersion,
    ending: null,
    containerId: info.containerId,
    ports: info.ports,
    exposureFails: false,
    memoryBytes: 256 * 1024 * 1024,
    dataBytes: expect.any(Number),
    links: [
      { app: 'blog', variables: ['DATABASE_URL'] },
      { app: 'shop', variables: ['DATABASE_URL'] },
    ],
  });
  expect(info.links).toEqual(['blog', 'shop']);
  expect(info.containerId).not.toBeNull();
});

test('the state of all services is that of each, without the size of its data', async () => {
  const all = await states();
  expect(all.map(({ name }) => name).sort()).toEqual(['cache', 'main-db']);
  expect(all).toContainEqual({ ...(await told()), dataBytes: null });
  expect(all).toContainEqual({ ...(await told('memcached', cache)), dataBytes: null });
});

test('measures the data in the container, and beside it while the container does not run', async () => {
  // In the container du counts whole kilobytes, because not every image's du knows bytes.
  const running = (await told()).dataBytes ?? 0;
  expect(running).toBeGreaterThan(0);
  expect(running % 1024).toBe(0);
  await succeed(dokku.service.pause('postgres', main));
  const paused = await told();
  expect(paused.state).toBe('paused');
  expect((paused.dataBytes ?? 0) % 1024).toBeGreaterThan(0);
  await succeed(dokku.service.start('postgres', main));
});

test('names every variable of an app that holds the connection string, and no other', async () => {
  const dsn = dokku.service.readDsn(await succeed(dokku.service.dsn('postgres', main)));
  const values = [
    `REPORTS_URL=${dsn.replace('postgres://', 'postgis://')}?sslmode=disable`,
    `LOOKALIKE=${dsn.replace('main-db', 'main-db2')}`,
    `WRONG=${dsn.replace(/:[0-9a-f]{32}@/, ':other@')}`,
    `LINES=a\nexport HIDDEN='${dsn}'\n`,
  ];
  await dokkuRun(['config:set', '--no-restart', app, ...values]);
  const link = (await told()).links.find((one) => one.app === app);
  expect(link?.variables?.toSorted()).toEqual(['DATABASE_URL', 'REPORTS_URL']);
  const keys = ['REPORTS_URL', 'LOOKALIKE', 'WRONG', 'LINES'].map(dokku.envKey);
  await succeed(dokku.config.unset(app, keys));
});

test('finds the variable of a service without a password', async () => {
  expect(await told('memcached', cache)).toMatchObject({
    links: [{ app: 'shop', variables: ['MEMCACHED_URL'] }],
    memoryBytes: 64 * 1024 * 1024,
  });
});

test('a link whose variable somebody removed has none', async () => {
  await succeed(dokku.config.unset(other, [dokku.envKey('DATABASE_URL')]));
  expect((await told()).links).toContainEqual({ app: 'blog', variables: [] });
});

test('no answer holds a password or a connection string', async () => {
  const dsn = dokku.service.readDsn(await succeed(dokku.service.dsn('postgres', main)));
  const password = /:([0-9a-f]{32})@/.exec(dsn)?.[1] ?? '';
  expect(password).not.toBe('');
  for (const command of [dokku.homeport.databaseState('postgres', main), dokku.homeport.databaseStates()]) {
    const { stdout, stderr } = await succeed(command);
    expect(stdout + stderr).not.toContain(password);
    expect(stdout + stderr).not.toContain('://');
  }
});

test('tells exposed ports, and that they lead nowhere where the container that leads them does not run', async () => {
  await succeed(dokku.service.expose('postgres', main, ['127.0.0.1:21532']));
  const ports = [{ containerPort: 5432, address: '127.0.0.1', hostPort: 21532 }];
  expect(await told()).toMatchObject({ ports, exposureFails: false });
  await succeed(dokku.service.pause('postgres', main));
  expect(await told()).toMatchObject({ ports, exposureFails: false, state: 'paused' });
  await succeed(dokku.service.start('postgres', main));
  await succeed(dokku.service.unexpose('postgres', main));
  await succeed(dokku.service.expose('postgres', main, ['[fd00::5]:21532']));
  expect(await told()).toMatchObject({
    ports: [{ containerPort: 5432, address: 'fd00::5', hostPort: 21532 }],
  });
  await succeed(dokku.service.unexpose('postgres', main));
  host.setFault('ambassador', true);
  // Dokku calls this a success.
  await succeed(dokku.service.expose('postgres', main, ['21532']));
  host.setFault('ambassador', false);
  expect(await told()).toMatchObject({ ports: [{ address: null }], exposureFails: true });
  await succeed(dokku.service.unexpose('postgres', main));
});

test('several ports come in the order of the container’s', async () => {
  const docs = dokku.serviceName('docs');
  await succeed(dokku.service.create('mongo', docs));
  await succeed(dokku.service.expose('mongo', docs, ['21001', '21002', '21003', '21004']));
  expect((await told('mongo', docs)).ports).toEqual(
    [27017, 27018, 27019, 28017].map((containerPort, at) => ({
      containerPort,
      address: null,
      hostPort: 21001 + at,
    })),
  );
  await succeed(dokku.service.unexpose('mongo', docs));
  await succeed(dokku.service.destroy('mongo', docs));
});

test('a removed container is missing, and an answer without Docker is unknown', async () => {
  await dokkuRun(['postgres:stop', main]);
  expect(await told()).toMatchObject({ state: 'missing', imageVersion: null, memoryBytes: null });
  await succeed(dokku.service.start('postgres', main));
  const docker = join(host.root, 'bin/docker');
  const silent = join(folder, 'docker');
  cpSync(docker, silent);
  writeFileSync(docker, '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n');
  try {
    expect(await told()).toMatchObject({ state: 'unknown', exposureFails: false });
  } finally {
    cpSync(silent, docker);
  }
});

test('a service of a plugin that Homeport does not know is left out', async () => {
  const queue = join(host.root, 'lib/services/rabbitmq/queue');
  mkdirSync(queue, { recursive: true });
  writeFileSync(join(queue, 'LINKS'), 'shop\n');
  const outcome = await succeed(dokku.homeport.databaseStates());
  expect(outcome.stdout).toContain('"type":"rabbitmq"');
  expect((await states()).map(({ name }) => name).sort()).toEqual(['cache', 'main-db']);
  rmSync(queue, { recursive: true });
});

test.each([
  ['postgres', 'nope'],
  ['postgres', '../../etc'],
  ['postgres', '--all'],
  ['postgres', '$(touch /tmp/x)'],
  ['postgres', 'a b'],
  ['postgres', ''],
  ['nope', 'main-db'],
  ['../postgres', 'main-db'],
  ['$(id)', 'main-db'],
  ['a[$(id)]', 'main-db'],
])('refuses the service %s %s', async (type, name) => {
  const outcome = await dokkuRun(['homeport:database', type, name]);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/does not exist|Please specify a (?:valid name|type)/);
});

test('an access rule hides a service, and the variables of an app that it hides', async () => {
  const rules = join(host.root, 'machine/var/lib/dokku/plugins/enabled/rules');
  mkdirSync(rules, { recursive: true });
  const rule = (name: string, text: string) => {
    writeFileSync(join(rules, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(rules, name), 0o755);
  };
  try {
    rule('user-auth-app', 'shift 2; for app in "$@"; do [ "$app" = shop ] || echo "$app"; done');
    expect((await told()).links).toContainEqual({ app: 'shop', variables: null });
    rule('user-auth-service', 'shift 3; for one in "$@"; do [ "$one" = main-db ] || echo "$one"; done');
    const outcome = await run(dokku.homeport.databaseState('postgres', main));
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(dokku.failureOf(outcome)).toEqual({ code: 'service_missing', service: 'main-db' });
    expect((await states()).map(({ name }) => name)).toEqual(['cache']);
  } finally {
    rmSync(rules, { recursive: true });
  }
});

test('a server without services tells of none', async () => {
  const bare = await prepareSandboxHost({ root: join(folder, 'bare') });
  const before = host;
  host = bare;
  try {
    const place = join(bare.root, 'machine/var/lib/dokku/plugins/available/homeport');
    cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
    await succeed(dokku.plugin.enable('homeport'));
    expect(await states()).toEqual([]);
  } finally {
    host = before;
    await bare.dispose();
  }
});

test('a container that ended by itself is told apart from one that somebody stopped', async () => {
  await succeed(dokku.service.pause('postgres', main));
  const { containerId } = await told();
  const file = join(host.root, 'containers', containerId ?? '', 'state.json');
  const state = JSON.parse(readFileSync(file, 'utf8'));
  for (const [exitCode, expected] of [
    [0, 'paused'],
    [143, 'paused'],
    [1, 'exited'],
    [139, 'exited'],
  ] as const) {
    writeFileSync(file, JSON.stringify({ ...state, exitCode }));
    expect(await told(), String(exitCode)).toMatchObject({ state: expected, ending: { exitCode } });
  }
  await succeed(dokku.service.start('postgres', main));
});
