import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { oldestDokku, recommendedDokku } from '@homeport/contract/servers/dokku-versions';
import * as dokku from '@homeport/dokku';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { releasesStage } from '../testing/releases-stage.ts';
import { pathsOf } from './machine/paths.ts';
import { State } from './machine/state.ts';

// The plugin's own files, run by bash on the sandbox: a change of how nginx serves an app, also one that ends in the middle of its work.

const app = dokku.appName('ledger');
const neighbour = dokku.appName('neighbour');
const { endings } = dokku.sites;

const upload = (to: string | null) => dokku.sites.write(app, [{ field: 'uploadLimit', to }]);
const answer = (to: string | null) => dokku.sites.write(app, [{ field: 'answerTimeout', to }]);
const before = { set: { 'client-max-body-size': '7m' }, built: { 'client-max-body-size': '7m' } };

test('the plugin and the console name the same ends', () => {
  const text = readFileSync(new URL('../../dokku/plugin/site-functions', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^ {2}site_([a-z_]+)=(\d+)$/gm)].map(([, name = '', code]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    Number(code),
  ]);
  expect(Object.fromEntries(named)).toEqual(endings);
  const used = ['site-work', 'subcommands/site-write']
    .map((path) => readFileSync(new URL(`../../dokku/plugin/${path}`, import.meta.url), 'utf8'))
    .join('');
  expect(Object.keys(endings)).toEqual(
    expect.arrayContaining(
      [...used.matchAll(/\$(?:site_)([a-z_]+)"/g)].map(([, name = '']) =>
        name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      ),
    ),
  );
});

describe.each([oldestDokku, recommendedDokku])('on Dokku %s', (dokkuVersion) => {
  const stage = releasesStage(app, dokkuVersion);
  const { dokkuRun, run, succeed, intercept } = stage;

  const state = () => new State(pathsOf(stage.root())).app(app);
  const whole = () => ({ set: state()?.nginx ?? {}, built: state()?.nginxBuilt ?? {} });
  const sites = () => join(stage.root(), 'lib/data/homeport/sites');
  /** The files of the locks stay. */
  const left = () => readdirSync(sites()).filter((name) => name !== '.lock' && name !== '.build');
  const buildNeighbour = () => dokkuRun(['proxy:build-config', neighbour]);
  const set = (of: string, property: string, ...value: string[]) =>
    dokkuRun(['nginx:set', of, property, ...value]);
  async function breakNeighbour(): Promise<void> {
    await set(neighbour, 'client-max-body-size', 'lots');
    expect((await buildNeighbour()).exitCode).toBe(1);
  }
  async function mendNeighbour(): Promise<void> {
    await set(neighbour, 'client-max-body-size');
    expect((await buildNeighbour()).exitCode).toBe(0);
  }

  beforeEach(async () => {
    await dokkuRun(['apps:create', neighbour]);
    for (const property of ['proxy-read-timeout', 'send-timeout', 'hsts']) await set(app, property);
    await mendNeighbour();
    await succeed(upload('7m'));
    expect([whole(), left()]).toEqual([before, []]);
  }, 60_000);

  /** Holds the work at the command that `when` is true of, and ends it by the signal. */
  async function cutOff(when: string, signal: NodeJS.Signals, change = upload('50m')): Promise<void> {
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
      const child = spawn('dokku', [...change.words], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 20_000, interval: 20 });
      process.kill(-workerOf(), signal);
      await ended;
    } finally {
      undo();
    }
  }
  const beforeBuild = '[ "$1" = proxy:build-config ]';
  const behindBuild = '[ "$2" = nginx:validate-config ] && [ -e BUILT ]';

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

  /** Killed before its second value, this leaves a half. */
  const half = dokku.sites.write(app, [
    { field: 'uploadLimit', to: '50m' },
    { field: 'hsts', to: 'false' },
  ]);
  const plugin = () => join(stage.root(), 'machine/var/lib/dokku/plugins/available/homeport');
  /** Runs a trigger of the plugin as Dokku does. */
  async function trigger(name: string, ...words: string[]): Promise<void> {
    const env = {
      ...stage.environment(),
      ...{ DOKKU_LIB_ROOT: join(stage.root(), 'lib'), DOKKU_ROOT: join(stage.root(), 'home') },
      ...{ DOCKER_BIN: 'docker', PLUGIN_AVAILABLE_PATH: dirname(plugin()) },
    };
    await promisify(execFile)('bash', [join(plugin(), name), ...words], { env });
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
  });

  test('without a change, what somebody set by hand is built', async () => {
    await set(app, 'send-timeout', '5s');
    await succeed(dokku.sites.write(app, []));
    expect(whole().built).toEqual({ ...before.built, 'send-timeout': '5s' });
  });

  test('where nginx refuses, properties and file are as before, and another app is built', async () => {
    await set(app, 'proxy-read-timeout', 'long');
    const refused = await run(upload('50m'));
    expect(refused.exitCode).toBe(endings.putBack);
    const reason = dokku.nginx.readRefusal(refused) ?? '';
    expect(reason).toContain('"proxy_read_timeout" directive invalid value');
    expect(dokku.nginx.refusedApp(reason)).toBe(app);
    expect(whole()).toEqual({ ...before, set: { ...before.set, 'proxy-read-timeout': 'long' } });
    expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
  });

  test('while nginx refuses another app, this one is built as before, and the other one is named', async () => {
    await breakNeighbour();
    const refused = await run(upload('50m'));
    expect(refused.exitCode).toBe(endings.putBack);
    expect(dokku.nginx.refusedApp(dokku.nginx.readRefusal(refused) ?? '')).toBe(neighbour);
    expect([whole(), left()]).toEqual([before, []]);
  });

  test('where a property cannot be set, those before it are as they were', async () => {
    const undo = intercept('dokku', 'if [ "$4" = hsts ]; then exit 1; fi');
    const changes = [
      { field: 'uploadLimit', to: '50m' },
      { field: 'hsts', to: 'false' },
    ] as const;
    try {
      expect((await run(dokku.sites.write(app, changes))).exitCode).toBe(endings.putBack);
    } finally {
      undo();
    }
    expect([whole(), left()]).toEqual([before, []]);
  });

  test('what could not be put back is put back by the next one, and until then none is begun', async () => {
    const undo = intercept('dokku', 'if [ "$5" = 7m ]; then exit 1; fi; if [ "$4" = hsts ]; then exit 1; fi');
    const changes = [
      { field: 'uploadLimit', to: '50m' },
      { field: 'hsts', to: 'false' },
    ] as const;
    try {
      expect((await run(dokku.sites.write(app, changes))).exitCode).toBe(endings.notPutBack);
      expect((await run(answer('5m'))).exitCode).toBe(endings.earlierLeft);
      expect(whole().set).toEqual({ 'client-max-body-size': '50m' });
    } finally {
      undo();
    }
    await succeed(dokku.sites.write(app, []));
    expect([whole(), left()]).toEqual([before, []]);
  }, 60_000);

  test('while nginx does not run, all is set as before, and the end says that nothing was reloaded', async () => {
    const real = join(stage.root(), 'bin/dokku.real');
    const undo = intercept(
      'dokku',
      `if [ "$1" = proxy:build-config ]; then ${real} "$@"; exit 1; fi; if [ "$2" = nginx:reload ]; then exit 1; fi`,
    );
    // Dokku 0.37 reloads by a function, which fails where nginx refuses alone.
    const ends = dokkuVersion === oldestDokku ? endings.putBack : endings.notReloaded;
    try {
      expect((await run(upload('50m'))).exitCode).toBe(ends);
      expect([whole(), left()]).toEqual([before, []]);
      expect((await run(upload('60m'))).exitCode).toBe(ends);
    } finally {
      undo();
    }
    expect([whole(), left()]).toEqual([before, []]);
  }, 60_000);

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'work that %s ends puts back all before it ends',
    async (signal) => {
      await cutOff(beforeBuild, signal);
      await vi.waitFor(() => expect([whole(), left()]).toEqual([before, []]), { timeout: 20_000 });
    },
    60_000,
  );

  test('work that was killed before its build is put back by the next one', async () => {
    await cutOff(beforeBuild, 'SIGKILL');
    expect(whole()).toEqual({ ...before, set: { 'client-max-body-size': '50m' } });
    await succeed(answer('5m'));
    const values = { 'client-max-body-size': '7m', 'proxy-read-timeout': '5m' };
    expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
  }, 60_000);

  test('a value that somebody set since the kill stays', async () => {
    await cutOff(beforeBuild, 'SIGKILL');
    await set(app, 'client-max-body-size', '9m');
    await succeed(answer('5m'));
    const values = { 'client-max-body-size': '9m', 'proxy-read-timeout': '5m' };
    expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
  }, 60_000);

  test('files that somebody built since the kill stay, also where the next change is refused', async () => {
    await cutOff('[ "$4" = hsts ]', 'SIGKILL', half);
    await set(app, 'send-timeout', '5s');
    expect((await dokkuRun(['proxy:build-config', app])).exitCode).toBe(0);
    await breakNeighbour();
    expect((await run(answer('5m'))).exitCode).toBe(endings.putBack);
    const values = { 'client-max-body-size': '7m', 'send-timeout': '5s' };
    expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
  }, 60_000);

  test('what a removal that was cut off left of the kept files is not put in place', async () => {
    await cutOff(beforeBuild, 'SIGKILL');
    rmSync(join(sites(), app, 'nginx.conf'));
    await set(app, 'send-timeout', 'never');
    expect((await run(answer('5m'))).exitCode).toBe(endings.putBack);
    expect([whole().built, left()]).toEqual([before.built, []]);
    await cutOff(beforeBuild, 'SIGKILL', answer('5m'));
    writeFileSync(join(sites(), app, 'properties'), '');
    await set(app, 'send-timeout');
    await succeed(dokku.sites.write(app, []));
    expect([whole().built, left()]).toEqual([
      { 'client-max-body-size': '50m', 'proxy-read-timeout': '5m' },
      [],
    ]);
  }, 60_000);

  test('work that was killed behind a refused build is put back by the next one, and other apps are built again', async () => {
    await set(app, 'proxy-read-timeout', 'long');
    await cutOff(behindBuild, 'SIGKILL');
    expect((await buildNeighbour()).exitCode).toBe(1);
    await succeed(answer('5m'));
    expect(whole().built).toEqual({ 'client-max-body-size': '7m', 'proxy-read-timeout': '5m' });
    expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
  }, 60_000);

  it.each([['homeport:state', neighbour], ['homeport:states']] as const)(
    'work that was killed behind a refused build is ended by %s, whichever app is looked at',
    async (...words) => {
      await set(app, 'proxy-read-timeout', 'long');
      await cutOff(behindBuild, 'SIGKILL');
      expect((await buildNeighbour()).exitCode).toBe(1);
      expect(await dokkuRun(words)).toMatchObject({ exitCode: 0, stderr: '' });
      expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
      expect(whole()).toEqual({ ...before, set: { ...before.set, 'proxy-read-timeout': 'long' } });
    },
    60_000,
  );

  test('a look meets no change that is at work', async () => {
    const gate = join(stage.root(), 'gate');
    const undo = intercept(
      'dokku',
      `if [ "$1" = proxy:build-config ]; then touch ${gate}; while [ -e ${gate} ]; do sleep 0.05; done; fi`,
    );
    try {
      const change = run(upload('50m'));
      await vi.waitFor(() => expect(existsSync(gate)).toBe(true), { timeout: 20_000, interval: 20 });
      expect(await dokkuRun(['homeport:state', app])).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(sites(), app, 'begun'))).toBe(true);
      rmSync(gate);
      await vi.waitFor(() => expect(existsSync(gate) || !existsSync(join(sites(), app))).toBe(true), {
        timeout: 20_000,
        interval: 20,
      });
      rmSync(gate, { force: true });
      expect((await change).exitCode).toBe(endings.changed);
    } finally {
      rmSync(gate, { force: true });
      undo();
    }
    expect([whole().built, left()]).toEqual([{ 'client-max-body-size': '50m' }, []]);
  }, 60_000);

  test('a deploy that ends while a change is at work takes nothing of what that keeps', async () => {
    await set(app, 'proxy-read-timeout', 'long');
    const gate = join(stage.root(), 'gate');
    const undo = intercept(
      'dokku',
      `if [ "$1" = proxy:build-config ] && [ ! -e ${gate} ]; then touch ${gate}; while [ ! -e ${gate}.over ]; do sleep 0.05; done; fi`,
    );
    try {
      const change = run(upload('50m'));
      await vi.waitFor(() => expect(existsSync(gate)).toBe(true), { timeout: 20_000, interval: 20 });
      await trigger('post-deploy', app);
      writeFileSync(`${gate}.over`, '');
      expect((await change).exitCode).toBe(endings.putBack);
    } finally {
      writeFileSync(`${gate}.over`, '');
      undo();
      for (const file of [gate, `${gate}.over`]) rmSync(file, { force: true });
    }
    expect(whole()).toEqual({ ...before, set: { ...before.set, 'proxy-read-timeout': 'long' } });
    expect([left(), (await buildNeighbour()).exitCode]).toEqual([[], 0]);
  }, 60_000);

  test('a deploy after a kill makes no half of a change permanent', async () => {
    await cutOff('[ "$4" = hsts ]', 'SIGKILL', half);
    expect((await dokkuRun(['proxy:build-config', app])).exitCode).toBe(0);
    await trigger('post-deploy', app);
    expect(whole().built).toEqual({ 'client-max-body-size': '50m' });
    await dokkuRun(['homeport:states']);
    expect([whole(), left()]).toEqual([before, []]);
  }, 60_000);

  test('a change that somebody finished by hand stays', async () => {
    await cutOff(beforeBuild, 'SIGKILL');
    await set(app, 'client-max-body-size', '50m');
    expect((await dokkuRun(['proxy:build-config', app])).exitCode).toBe(0);
    await dokkuRun(['homeport:states']);
    const values = { 'client-max-body-size': '50m' };
    expect([whole(), left()]).toEqual([{ set: values, built: values }, []]);
  }, 60_000);

  test('where the files of before are refused as well, nothing is left, and the change that mends them holds', async () => {
    await set(app, 'proxy-read-timeout', 'long');
    expect((await dokkuRun(['proxy:build-config', app])).exitCode).toBe(1);
    expect((await run(upload('50m'))).exitCode).toBe(endings.putBack);
    expect([whole().set, left()]).toEqual([{ ...before.set, 'proxy-read-timeout': 'long' }, []]);
    await succeed(answer('5m'));
    expect((await buildNeighbour()).exitCode).toBe(0);
  }, 60_000);

  test('what a build does that outlives its limit is waited for before all is put back', async () => {
    const work = join(plugin(), 'site-work');
    const text = readFileSync(work, 'utf8');
    expect(text).toContain(' 120 dokku');
    writeFileSync(work, text.replace(' 120 dokku', ' 1 dokku'));
    const at = join(stage.root(), 'late');
    const undo = intercept(
      'dokku',
      `if [ "$1" = proxy:build-config ] && [ ! -e ${at} ]; then
  echo $$ >${at}.new; mv ${at}.new ${at}
  (while [ ! -e ${at}.go ]; do sleep 0.05; done; ${join(stage.root(), 'bin/dokku.real')} "$@"; touch ${at}.over) &
  wait
fi`,
    );
    try {
      const change = run(upload('50m')).then(({ exitCode }) => [exitCode, existsSync(`${at}.over`)]);
      await vi.waitFor(() => expect(existsSync(at)).toBe(true), { timeout: 20_000, interval: 20 });
      const shell = readFileSync(at, 'utf8').trim();
      await vi.waitFor(() => expect(existsSync(`/proc/${shell}`)).toBe(false), {
        timeout: 20_000,
        interval: 20,
      });
      writeFileSync(`${at}.go`, '');
      expect(await change).toEqual([endings.putBack, true]);
    } finally {
      undo();
      writeFileSync(work, text);
      for (const end of ['', '.go', '.over', '.new']) rmSync(`${at}${end}`, { force: true });
    }
    expect(left()).toEqual([]);
    expect(whole().set).toEqual(before.set);
  }, 60_000);

  test('two changes at once both hold', async () => {
    const [one, two] = await Promise.all([run(upload('50m')), run(answer('5m'))]);
    expect([one.exitCode, two.exitCode]).toEqual([endings.changed, endings.changed]);
    expect(whole().set).toEqual({ 'client-max-body-size': '50m', 'proxy-read-timeout': '5m' });
    expect(left()).toEqual([]);
  }, 60_000);

  test('a deploy that goes on is not met, and nothing is changed', async () => {
    const lock = pathsOf(stage.root()).lock(app);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, `${process.pid} `);
    const refused = await run(upload('50m')).finally(() => rmSync(lock));
    expect(refused.exitCode).toBe(endings.notBegun);
    expect(dokku.failureOf(refused)).toMatchObject({ code: 'deploy_locked' });
    expect([whole(), left()]).toEqual([before, []]);
  });

  test('what a kill left goes with an app that gets another name, without the files', async () => {
    await cutOff('[ "$4" = hsts ]', 'SIGKILL', half);
    await trigger('post-app-rename-setup', app, neighbour);
    expect([left(), readdirSync(join(sites(), neighbour)).toSorted()]).toEqual([
      [neighbour],
      ['begun', 'nginx.conf.d', 'properties', 'wanted'],
    ]);
    // The other name has the properties of before, as a clone of them.
    await set(neighbour, 'client-max-body-size', '50m');
    await succeed(dokku.sites.write(neighbour, []));
    const named = new State(pathsOf(stage.root())).app(neighbour);
    expect([named?.nginx, named?.nginxBuilt, left()]).toEqual([before.set, before.built, []]);
  }, 60_000);

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
    expect((await dokkuRun(['homeport:site-write', app, word])).exitCode).toBe(endings.notBegun);
    expect(whole()).toEqual(before);
  });
});
