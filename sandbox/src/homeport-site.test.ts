import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dokku from '@homeport/dokku';
import { beforeEach, expect, it, test, vi } from 'vitest';
import { releasesStage } from '../testing/releases-stage.ts';
import { pathsOf } from './machine/paths.ts';
import { State } from './machine/state.ts';

// The plugin's own files, run by bash on the sandbox: a change of how nginx serves an app, also one that ends in the middle of its work.

const app = dokku.appName('ledger');
const neighbour = dokku.appName('neighbour');
const stage = releasesStage(app);
const { dokkuRun, run, succeed, intercept } = stage;

const upload = (to: string | null) => dokku.sites.write(app, [{ field: 'uploadLimit', to }]);
const state = () => new State(pathsOf(stage.root())).app(app);
const whole = () => ({ set: state()?.nginx ?? {}, built: state()?.nginxBuilt ?? {} });
const left = () => readdirSync(join(stage.root(), 'lib/data/homeport/sites'));
const buildNeighbour = () => dokkuRun(['proxy:build-config', neighbour]);
const before = { set: { 'client-max-body-size': '7m' }, built: { 'client-max-body-size': '7m' } };

beforeEach(async () => {
  await dokkuRun(['apps:create', neighbour]);
  for (const property of ['proxy-read-timeout', 'send-timeout']) await dokkuRun(['nginx:set', app, property]);
  await succeed(upload('7m'));
  expect(whole()).toEqual(before);
}, 60_000);

/** Holds the work at the command that `when` is true of, and ends it by the signal. */
async function cutOff(when: string, signal: NodeJS.Signals): Promise<void> {
  const reached = join(stage.root(), 'reached');
  const built = join(stage.root(), 'built');
  for (const file of [reached, built]) rmSync(file, { force: true });
  const undo = intercept(
    'dokku',
    `if ${when} && [ ! -e ${reached} ]; then touch ${reached}; exec sleep 60; fi
if [ "$1" = proxy:build-config ]; then touch ${built}; fi`.replaceAll('BUILT', built),
  );
  try {
    const env = { ...process.env, PATH: `${join(stage.root(), 'bin')}:${process.env.PATH}` };
    const child = spawn('dokku', [...upload('50m').words], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 20_000, interval: 20 });
    process.kill(-workerOf(), signal);
    await ended;
  } finally {
    undo();
  }
}

/** The leader of the group in which the work runs. */
function workerOf(): number {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return group === pid && words[1]?.endsWith('site-work') === true && words[1].startsWith(stage.root());
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('The work does not run.');
  return Number(found);
}

test('values are set and built, and nothing of the work is left', async () => {
  await succeed(
    dokku.sites.write(app, [
      { field: 'uploadLimit', to: '50m' },
      { field: 'hsts', to: 'false' },
    ]),
  );
  const values = { 'client-max-body-size': '50m', hsts: 'false' };
  expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
  await succeed(dokku.sites.write(app, [{ field: 'hsts', to: null }]));
});

test('where nginx refuses, properties and file are as before, and another app is built', async () => {
  await dokkuRun(['nginx:set', app, 'proxy-read-timeout', 'long']);
  const refused = await run(upload('50m'));
  expect(refused.exitCode).toBe(1);
  expect(dokku.nginx.readRefusal(refused)).toContain('"proxy_read_timeout" directive invalid value');
  expect(whole()).toEqual({ ...before, set: { ...before.set, 'proxy-read-timeout': 'long' } });
  expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
});

test('where a property cannot be set, those before it are as they were', async () => {
  const undo = intercept('dokku', 'if [ "$4" = hsts ]; then exit 1; fi');
  const changes = [
    { field: 'uploadLimit', to: '50m' },
    { field: 'hsts', to: 'false' },
  ] as const;
  try {
    expect((await run(dokku.sites.write(app, changes))).exitCode).toBe(dokku.sites.notPutBack);
  } finally {
    undo();
  }
  await succeed(upload('7m'));
  expect([whole(), left()]).toEqual([before, []]);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'work that %s ends puts back all before it ends',
  async (signal) => {
    await cutOff('[ "$1" = proxy:build-config ]', signal);
    await vi.waitFor(() => expect([whole(), left()]).toEqual([before, []]), { timeout: 20_000 });
  },
  60_000,
);

test('work that was killed before its build is put back by the next one', async () => {
  await cutOff('[ "$1" = proxy:build-config ]', 'SIGKILL');
  expect(whole()).toEqual({ ...before, set: { 'client-max-body-size': '50m' } });
  await succeed(dokku.sites.write(app, [{ field: 'answerTimeout', to: '5m' }]));
  const values = { 'client-max-body-size': '7m', 'proxy-read-timeout': '5m' };
  expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
}, 60_000);

test('work that was killed behind a refused build is put back by the next one, and other apps are built again', async () => {
  await dokkuRun(['nginx:set', app, 'proxy-read-timeout', 'long']);
  await cutOff('[ "$2" = nginx:set ] && [ -e BUILT ]', 'SIGKILL');
  expect((await buildNeighbour()).exitCode).toBe(1);
  await succeed(dokku.sites.write(app, [{ field: 'answerTimeout', to: '5m' }]));
  expect(whole().built).toEqual({ 'client-max-body-size': '7m', 'proxy-read-timeout': '5m' });
  expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
}, 60_000);

test('a deploy that goes on is not met, and nothing is changed', async () => {
  const lock = pathsOf(stage.root()).lock(app);
  writeFileSync(lock, `${process.pid} `);
  const refused = await run(upload('50m')).finally(() => rmSync(lock));
  expect(refused.exitCode).toBe(1);
  expect(dokku.failureOf(refused)).toMatchObject({ code: 'deploy_locked' });
  expect(whole()).toEqual(before);
});

it.each([
  ['proxy-buffers=8 4k'],
  ['client-max-body-size=lots'],
  ['client-max-body-size=1m;'],
  ['proxy-read-timeout=5'],
  ['hsts=on'],
  ['hsts-max-age=1; x'],
  ['--global'],
  [''],
])('refuses %s', async (word) => {
  expect((await dokkuRun(['homeport:site-write', app, word])).exitCode).toBe(1);
  expect(whole()).toEqual(before);
});
