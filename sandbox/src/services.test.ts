import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseTypes } from '@homeport/contract/databases/types/database-types';
import { freePort } from '@homeport/contract/testing';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pushByGit } from '../testing/push.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// What the recordings of a real server do not hold. The expected answers come from the sources of the service plugins.

let folder: string;
let host: SandboxHost;
const app = dokku.appName('shop');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'services-'));
  host = await prepareSandboxHost({ root: join(folder, 'host') });
  await succeed(dokku.apps.create(app));
}, 60_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function dokkuRun(words: readonly string[], as: 'root' | 'dokku' = 'root'): Promise<dokku.Outcome> {
  const [program, argv] =
    as === 'root' ? ['dokku', words] : ['sudo', ['-n', '-u', 'dokku', 'dokku', ...words]];
  return new Promise((resolve) =>
    execFile(program, argv, { env: host.env }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
}

const run = (command: dokku.Command, as: 'root' | 'dokku' = 'root') => dokkuRun(command.words, as);
async function succeed(command: dokku.Command): Promise<dokku.Outcome> {
  const outcome = await run(command);
  expect(outcome).toMatchObject({ exitCode: 0 });
  return outcome;
}

async function refused(command: dokku.Command, code: dokku.DokkuFailure['code']): Promise<void> {
  expect(dokku.failureOf(await run(command))?.code).toBe(code);
}

const docker = async (...words: readonly string[]) =>
  (await promisify(execFile)('docker', words, { env: host.env })).stdout;

const info = async (type: 'postgres' | 'redis', name: dokku.ServiceName) =>
  dokku.service.readInfo(await succeed(dokku.service.info(type, name)));

let count = 0;
let main: dokku.ServiceName;
beforeEach(() => {
  count += 1;
  main = dokku.serviceName(`db-${count}`);
});

describe('plugins', () => {
  test('a fresh host has two of the six; a missing one is no command until root installs it', async () => {
    const listed = async () =>
      dokku.plugin.readList(await succeed(dokku.plugin.list())).map(({ name }) => name);
    expect(await listed()).toEqual(expect.arrayContaining(['postgres', 'redis']));
    for (const { type, pluginUrl } of databaseTypes) {
      if ((await listed()).includes(type)) continue;
      await refused(dokku.service.create(type, main), 'command_unknown');
      const install = dokku.plugin.install(pluginUrl, type);
      expect(dokku.failureOf(await run(install, 'dokku'))?.code).toBe('must_be_root');
      await succeed(install);
      expect(await run(install)).toMatchObject({ exitCode: 1 });
    }
    expect(await listed()).toEqual(expect.arrayContaining(databaseTypes.map(({ type }) => type)));
  });

  test.each([
    ['mongo', /^mongodb:\/\/a-b_c:[0-9a-f]{32}@dokku-mongo-a-b-c:27017\/a_b_c$/],
    ['memcached', /^memcached:\/\/dokku-memcached-a-b-c:11211$/],
    ['clickhouse', /^clickhouse:\/\/a-b_c:[0-9a-f]{16}@dokku-clickhouse-a-b-c:9000\/a_b_c$/],
  ] as const)('a %s service has the connection string of its plugin', async (type, form) => {
    const name = dokku.serviceName('a-b_c');
    await succeed(dokku.service.create(type, name));
    expect(dokku.service.readDsn(await succeed(dokku.service.dsn(type, name)))).toMatch(form);
    await succeed(dokku.service.destroy(type, name));
  });
});

describe('a creation that fails', () => {
  test('leaves nothing where the image cannot be fetched', async () => {
    host.setFault('pull', true);
    await refused(dokku.service.create('redis', main), 'image_pull_failed');
    host.setFault('pull', false);
    await refused(dokku.service.exists('redis', main), 'service_missing');
  });

  test('blocks the name where the container does not get ready, until the service is destroyed', async () => {
    host.setFault('service', true);
    const failed = await run(dokku.service.create('redis', main));
    host.setFault('service', false);
    expect(failed.stdout).toContain('       FATAL: the data directory has no space left\n');
    expect(dokku.failureOf(failed)?.code).toBe('service_not_ready');
    await refused(dokku.service.create('redis', main), 'service_exists');
    await succeed(dokku.service.destroy('redis', main));
    await succeed(dokku.service.create('redis', main));
  });
});

describe('links', () => {
  test('a linked app runs with the variable after its restart, and an unlinked one without it', async () => {
    await succeed(dokku.service.create('redis', main));
    expect(pushByGit(host, app, { 'index.html': 'ahoy' })).toBe(0);
    const variables = async (): Promise<string[]> =>
      JSON.parse(await docker('inspect', '--format', '{{json .Config.Env}}', 'shop.web.1'));
    await succeed(dokku.service.link('redis', main, app));
    const variable = `REDIS_URL=${(await info('redis', main)).dsn}`;
    expect(await variables()).not.toContain(variable);
    await succeed(dokku.ps.restart(app));
    expect(await variables()).toContain(variable);
    await succeed(dokku.service.unlink('redis', main, app));
    await succeed(dokku.ps.restart(app));
    expect(await variables()).not.toContain(variable);
  });

  test('any variable whose name holds the usual one makes a link take a colour', async () => {
    await succeed(dokku.service.create('redis', main));
    await dokkuRun(['config:set', '--no-restart', app, 'MY_REDIS_URL=x']);
    const linked = await succeed(dokku.service.link('redis', main, app));
    expect(linked.stdout).toContain('DOKKU_REDIS_AQUA_URL:');
    await succeed(dokku.service.unlink('redis', main, app));
    await succeed(dokku.config.unset(app, [dokku.envKey('MY_REDIS_URL')]));
  });

  test('an alias that is in use is refused', async () => {
    await succeed(dokku.service.create('redis', main));
    await dokkuRun(['config:set', '--no-restart', app, 'CACHE_URL=x']);
    const words = ['redis:link', main, app, '--alias', 'cache', '--no-restart'];
    expect(dokku.failureOf(await dokkuRun(words))).toEqual({ code: 'alias_taken', alias: 'CACHE' });
    await succeed(dokku.config.unset(app, [dokku.envKey('CACHE_URL')]));
  });

  test('an unlink fails where somebody removed the variable, and takes the link away all the same', async () => {
    await succeed(dokku.service.create('redis', main));
    await succeed(dokku.service.link('redis', main, app));
    await succeed(dokku.config.unset(app, [dokku.envKey('REDIS_URL')]));
    await refused(dokku.service.unlink('redis', main, app), 'not_linked');
    expect((await info('redis', main)).links).toEqual([]);
  });

  test('a destroyed app leaves its services without the link', async () => {
    const leaving = dokku.appName('leaving');
    await succeed(dokku.apps.create(leaving));
    await succeed(dokku.service.create('redis', main));
    await succeed(dokku.service.link('redis', main, leaving));
    const destroyed = await succeed(dokku.apps.destroy(leaving));
    expect(destroyed.stdout).toContain(`       Unlinking from ${main}\n`);
    expect((await info('redis', main)).links).toEqual([]);
  });
});

describe('ports', () => {
  const answers = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });

  test('an exposed port is open, and closed again after', async () => {
    await succeed(dokku.service.create('redis', main));
    await succeed(dokku.service.expose('redis', main, ['22379']));
    expect(await answers(22379)).toBe(true);
    await succeed(dokku.service.pause('redis', main));
    expect(await answers(22379)).toBe(false);
    await succeed(dokku.service.start('redis', main));
    expect(await answers(22379)).toBe(true);
    await succeed(dokku.service.unexpose('redis', main));
    expect(await answers(22379)).toBe(false);
  });

  test('a port on which another program listens is taken, and the service counts as exposed', async () => {
    await succeed(dokku.service.create('redis', main));
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const expose = dokku.service.expose('redis', main, [String(port)]);
    await refused(expose, 'port_taken');
    await new Promise((resolve) => server.close(resolve));
    await refused(expose, 'already_exposed');
    await succeed(dokku.service.unexpose('redis', main));
    await succeed(expose);
    await succeed(dokku.service.unexpose('redis', main));
  });

  test('destroying an exposed service leaves the container that led to it, as the plugins do', async () => {
    await succeed(dokku.service.create('redis', main));
    await succeed(dokku.service.expose('redis', main, ['22380']));
    await succeed(dokku.service.destroy('redis', main));
    expect(await answers(22380)).toBe(false);
    expect(await docker('ps', '-a', '--filter', `name=${main}`, '--format', '{{.Names}} {{.State}}')).toBe(
      `dokku.redis.${main}.ambassador exited\n`,
    );
    await succeed(dokku.service.create('redis', main));
    expect(await docker('ps', '-a', '--filter', `name=${main}`, '--format', '{{.Names}} {{.State}}')).toBe(
      `dokku.redis.${main} running\n`,
    );
  });
});

describe('a service runs', () => {
  test('until its container is killed, which counts as ended; a start begins it again', async () => {
    await succeed(dokku.service.create('postgres', main));
    await docker('kill', `dokku.postgres.${main}`);
    expect((await info('postgres', main)).state).toBe('exited');
    await succeed(dokku.service.start('postgres', main));
    expect((await info('postgres', main)).state).toBe('running');
  });

  test('and says in its log that it is none, also to who follows', async () => {
    await succeed(dokku.service.create('postgres', main));
    const { words } = dokku.service.logs('postgres', main, { lines: 5, follow: true });
    const reader = spawn('dokku', words, { env: host.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const first = await new Promise<string>((resolve) =>
      reader.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    reader.kill();
    expect(first).toBe('The sandbox runs no database: the port of this service answers nothing.\n');
  });
});
