import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dokku from '@homeport/dokku';
import { expect, it, test } from 'vitest';
import { releasesStage, server } from '../testing/releases-stage.ts';
import { pathsOf } from './machine/paths.ts';
import { State } from './machine/state.ts';

// The plugin's own files, run by bash on the sandbox: a going-back that ends in the middle of its work, or beside a deploy that failed.

const app = dokku.appName('ledger');
const stage = releasesStage(app);
const { dokkuRun, run, succeed, releases, push, served, whole } = stage;
const { twoVersions, cutOff, cutOffInFiles, intercept, pace } = stage;

it.each(['SIGKILL', 'SIGTERM', 'SIGQUIT'] as const)(
  'a going-back that ends by %s leaves one whole version in the end',
  async (signal) => {
    const { target: id, serving: before } = await twoVersions([`${signal} one`, `${signal} two`]);
    pace(0.1);
    await cutOff(id, (text) => text.includes('Going back to release'), signal);
    pace(0);
    // What was cut off is ended by the next one, whatever that one is asked for.
    if (signal === 'SIGKILL') {
      expect((await releases()).cutOff).toBe(id);
      const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
      expect(await run(dokku.releases.goBack(app, none))).toMatchObject({ exitCode: 1 });
    }
    expect([await whole(), (await releases()).cutOff]).toEqual([before, null]);
  },
  120_000,
);
test('a going-back that ends by SIGKILL between image and files is put back, also after a restart by hand', async () => {
  const { target, serving } = await twoVersions(['red', 'green']);
  await cutOffInFiles(target, 'SIGKILL');
  expect((await releases()).cutOff).toBe(target);
  // Dokku starts the image of one version with the files of the other.
  await succeed(dokku.ps.restart(app));
  expect(await served()).toBe('red');
  const other = (await releases()).kept.find(({ commit }) => commit === serving.head);
  await succeed(dokku.releases.goBack(app, other?.id ?? target));
  expect(await whole()).toEqual(serving);
  expect((await releases()).cutOff).toBe(null);
}, 120_000);

test('a going-back that ends by SIGKILL keeps the version before through a push that fails', async () => {
  const { target, serving } = await twoVersions(['black', 'white']);
  await cutOffInFiles(target, 'SIGKILL');
  expect(() => push('grey', { 'serve.js': 'process.exit(3)' })).toThrow();
  expect((await releases()).cutOff).toBe(target);
  const other = (await releases()).kept.find(({ commit }) => commit === serving.head);
  await succeed(dokku.releases.goBack(app, other?.id ?? target));
  expect(await whole()).toEqual(serving);
  const { stdout } = await succeed(dokku.releases.goBack(app, target));
  expect(stdout).toContain(`Release ${target} serves`);
  expect(await served()).toBe('black');
}, 120_000);

test('a going-back that ends by SIGKILL while one type runs it already is ended by the next one', async () => {
  const worker = { 'work.sh': 'while :; do sleep 1; done' };
  const procfile = (word: string) => ({
    ...worker,
    Procfile: `web: node serve.js --as ${word}\nworker: sh work.sh\n`,
  });
  const first = push('north', procfile('north'));
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('worker'), 1]]), { skipDeploy: false }));
  push('south', procfile('south'));
  const serving = await whole();
  const target = (await releases()).kept.find(({ commit }) => commit === first);
  if (!target) throw new Error('It was kept.');
  pace(0.1);
  await cutOff(target.id, (text) => text.includes('Deploying worker (count=1)'), 'SIGKILL');
  pace(0);
  expect((await releases()).cutOff).toBe(target.id);
  await succeed(dokku.releases.goBack(app, target.id));
  expect(await whole()).toEqual({
    ...serving,
    served: 'north',
    head: first,
    revision: first,
    command: 'node serve.js --as north',
  });
}, 120_000);

test('after a cut-off going-back a build that succeeds is the whole version', async () => {
  const { target } = await twoVersions(['east', 'west']);
  await cutOffInFiles(target, 'SIGKILL');
  const pushed = push('south-west', { Procfile: 'web: node serve.js --as south-west\n' });
  expect(await whole()).toEqual({
    ...{ served: 'south-west', head: pushed, revision: pushed },
    ...{ command: 'node serve.js --as south-west', left: [] },
  });
  expect((await releases()).cutOff).toBe(null);
}, 120_000);

test('what serves is put back although the deploy was cancelled, which takes its lock away', async () => {
  const { target, serving } = await twoVersions(['brass', 'steel']);
  const lock = pathsOf(stage.root()).lock(app);
  await cutOffInFiles(target, 'SIGQUIT', () => {
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
  });
  expect([await whole(), (await releases()).cutOff]).toEqual([serving, null]);
  expect(existsSync(lock)).toBe(false);
}, 120_000);

test('a cancelled going-back leaves the lock of whoever deploys by then alone, and what it was stays noted', async () => {
  const { target, serving } = await twoVersions(['bronze', 'copper']);
  const lock = pathsOf(stage.root()).lock(app);
  await cutOffInFiles(target, 'SIGQUIT', () => {
    rmSync(lock);
    // A process that lives has it.
    writeFileSync(lock, `${process.pid} `);
  });
  expect([readFileSync(lock, 'utf8'), (await releases()).cutOff]).toEqual([`${process.pid} `, target]);
  rmSync(lock);
  const other = (await releases()).kept.find(({ commit }) => commit === serving.head);
  await succeed(dokku.releases.goBack(app, other?.id ?? target));
  expect([await whole(), (await releases()).cutOff]).toEqual([serving, null]);
}, 120_000);

test('where the version before cannot be put back, it stays noted, and the next going-back puts it back', async () => {
  const { target, serving } = await twoVersions(['tin', 'zinc']);
  const undo = intercept('dokku', 'if [ "$2" = config:set ]; then exit 1; fi');
  const outcome = await run(dokku.releases.goBack(app, target));
  undo();
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stdout).toContain('could not be put back whole');
  expect((await releases()).cutOff).toBe(target);
  const other = (await releases()).kept.find(({ commit }) => commit === serving.head);
  await succeed(dokku.releases.goBack(app, other?.id ?? target));
  expect([await whole(), (await releases()).cutOff]).toEqual([serving, null]);
}, 120_000);

test('a version whose deploy failed is not taken for the release, and going back to what serves drops its image', async () => {
  const { serving } = await twoVersions(['salt', 'pepper']);
  const { kept: all, serving: id } = await releases();
  expect(() =>
    push('sugar', { 'serve.js': server('sugar', 'if (!process.env.SWEET) process.exit(3);') }),
  ).toThrow();
  expect([await served(), (await releases()).serving]).toEqual(['pepper', id]);
  // Dokku left the image of the failed deploy as the one that the next start runs.
  await dokkuRun(['config:set', app, 'SWEET=1']);
  expect([await served(), (await releases()).serving]).toEqual(['sugar', null]);
  await succeed(dokku.releases.goBack(app, all[0]?.id ?? dokku.releases.releaseIdSchema.parse('none')));
  expect(await whole()).toEqual(serving);
  await succeed(dokku.ps.restart(app));
  expect(await served()).toBe('pepper');
  await dokkuRun(['config:unset', app, 'SWEET']);
}, 120_000);

test('a version whose deploy failed stays no release through a going-back that was cut off', async () => {
  const { target } = await twoVersions(['thyme', 'sage']);
  expect(() =>
    push('mint', { 'serve.js': server('mint', 'if (!process.env.FRESH) process.exit(3);') }),
  ).toThrow();
  await dokkuRun(['config:set', app, 'FRESH=1']);
  expect([await served(), (await releases()).serving]).toEqual(['mint', null]);
  await cutOffInFiles(target, 'SIGKILL');
  const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
  expect(await run(dokku.releases.goBack(app, none))).toMatchObject({ exitCode: 1 });
  const told = await releases();
  expect([await served(), told.serving, told.cutOff]).toEqual(['mint', null, null]);
  await dokkuRun(['config:unset', app, 'FRESH']);
}, 120_000);

test('a kill while the version before is thrown away leaves nothing to end, and numbers set since a cut stay', async () => {
  const { target } = await twoVersions(['pine', 'fir']);
  const reached = stage.scratch('removing');
  const undo = intercept(
    'docker',
    `if [ "$*" = "image rm homeport.invalid/kept/${app}:_before" ] && [ ! -e ${reached} ] && $0.real image inspect "$3" >/dev/null 2>&1; then touch ${reached}; $0.real "$@"; exec sleep 60; fi`,
  );
  await cutOff(target, () => existsSync(reached), 'SIGKILL');
  undo();
  expect((await releases()).cutOff).toBe(null);
  expect(await served()).toBe('pine');
  const other = (await releases()).kept.find(({ id }) => id !== target);
  await cutOffInFiles(other?.id ?? target, 'SIGKILL');
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('web'), 2]]), { skipDeploy: false }));
  const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
  expect((await run(dokku.releases.goBack(app, none))).stdout).toContain('that were set since then stay');
  const { processTypes } = await stage.state();
  expect(processTypes?.types.find(({ type }) => type === 'web')?.quantity).toBe(2);
  expect([await served(), (await releases()).cutOff]).toEqual(['pine', null]);
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('web'), 1]]), { skipDeploy: false }));
}, 120_000);

test('a cut-off going-back of a stopped app is put back without a start', async () => {
  const { target, serving } = await twoVersions(['flint', 'slate']);
  await cutOffInFiles(target, 'SIGKILL');
  await succeed(dokku.ps.stop(app));
  const outcome = await run(dokku.releases.goBack(app, target));
  expect(outcome.stdout).toContain('Start the app first');
  expect((await releases()).cutOff).toBe(null);
  await succeed(dokku.ps.start(app));
  expect(await whole()).toEqual(serving);
}, 120_000);

test('after a failed deploy a going-back that fails puts back what served, and not what failed', async () => {
  const { target, serving } = await twoVersions(['milk', 'honey']);
  expect(() => push('vinegar', { 'serve.js': 'process.exit(3)' })).toThrow();
  const once = stage.scratch('once');
  const undo = intercept(
    'dokku',
    `if [ "$2" = config:set ] && [ ! -e ${once} ]; then touch ${once}; exit 1; fi`,
  );
  expect(await run(dokku.releases.goBack(app, target))).toMatchObject({ exitCode: 1 });
  undo();
  expect((await whole()).served).toBe('honey');
  await succeed(dokku.ps.restart(app));
  expect(await whole()).toEqual({ ...serving, head: serving.head, revision: expect.anything() });
}, 120_000);

/** Ends the deploy of a push where the machine ends between it and what follows it. */
function pushWithoutPostDeploy(word: string, files: Record<string, string> = {}): void {
  const place = 'machine/var/lib/dokku/plugins/available/homeport/post-deploy';
  const file = join(stage.root(), place);
  const text = readFileSync(file);
  writeFileSync(file, '#!/bin/sh\n');
  try {
    push(word, files);
  } finally {
    writeFileSync(file, text);
  }
}

test('a version that was deployed since a cut serves on, although the machine ended behind its deploy', async () => {
  const { target } = await twoVersions(['dawn', 'dusk']);
  await cutOffInFiles(target, 'SIGKILL');
  pushWithoutPostDeploy('noon', { Procfile: 'web: node serve.js --as noon\n' });
  const before = await whole();
  expect([before.served, (await releases()).cutOff]).toEqual(['noon', target]);
  const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
  const outcome = await run(dokku.releases.goBack(app, none));
  expect(outcome.stdout).not.toContain('Deploying');
  expect([await whole(), (await releases()).cutOff]).toEqual([{ ...before, left: [] }, null]);
}, 120_000);

test('a version that runs with files of a going-back is replaced by the version before', async () => {
  const { target, serving } = await twoVersions(['ruby', 'opal']);
  await cutOffInFiles(target, 'SIGKILL');
  // What the work wrote among Dokku's files ended with it on the sandbox; on a server it stays.
  new State(pathsOf(stage.root())).changeApp(app, (changed) => {
    changed.procfile = 'web: node serve.js --as ruby\n';
  });
  expect(() =>
    push('jade', { 'serve.js': server('jade', 'if (!process.env.SHINE) process.exit(3);') }),
  ).toThrow();
  await dokkuRun(['config:set', app, 'SHINE=1']);
  expect([await served(), (await releases()).cutOff]).toEqual(['jade', target]);
  const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
  expect(await run(dokku.releases.goBack(app, none))).toMatchObject({ exitCode: 1 });
  expect([await whole(), (await releases()).cutOff]).toEqual([serving, null]);
  await dokkuRun(['config:unset', app, 'SHINE']);
}, 120_000);

test('a putting back that ends by SIGKILL is ended by the next one, also after a restart by hand', async () => {
  const { target, serving } = await twoVersions(['coral', 'pearl'], { Procfile: 'web: node serve.js\n' });
  pace(0.1);
  await cutOff(target, (text) => text.includes('Processing deployment checks'), 'SIGKILL');
  pace(0);
  const none = dokku.releases.releaseIdSchema.parse('nosuchrelease');
  await cutOffInFiles(none, 'SIGKILL');
  // The image is that of the version before by now, and the commit that the app is told is not.
  await succeed(dokku.ps.restart(app));
  expect(await served()).toBe('pearl');
  expect(await stage.revision()).not.toBe(serving.revision);
  expect(await run(dokku.releases.goBack(app, none))).toMatchObject({ exitCode: 1 });
  expect([await whole(), (await releases()).cutOff]).toEqual([serving, null]);
}, 120_000);
