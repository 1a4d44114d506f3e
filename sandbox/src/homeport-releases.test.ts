import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { releaseDiskBytes, releasesKept } from '@homeport/contract/apps/releases/facts';
import * as dokku from '@homeport/dokku';
import { expect, it, test, vi } from 'vitest';
import { releasesStage, server } from '../testing/releases-stage.ts';
import { pathsOf } from './machine/paths.ts';
import { State } from './machine/state.ts';

// The plugin's own files, run by bash on the sandbox: a deploy keeps its version, and the app goes back to it.

const app = dokku.appName('ledger');
const stage = releasesStage(app);
const { dokkuRun, run, succeed, docker, state, releases, kept, tags, push, served, whole } = stage;
const { another, twoVersions, intercept, pace } = stage;

const commits: string[] = [];
const oldest = async () => {
  const id = (await releases()).kept.at(-1)?.id;
  if (!id) throw new Error('Nothing is kept.');
  return id;
};

test('the three newest versions are kept, each with its commit and its files, and the others go', async () => {
  for (const word of ['one', 'two', 'three', 'four']) commits.push(push(word));
  const told = await releases();
  expect(told.kept.map(({ commit }) => commit)).toEqual(commits.slice(1).toReversed());
  expect(told.serving).toBe(told.kept[0]?.id);
  const ids = told.kept.map(({ id }) => id);
  expect((await tags()).toSorted()).toEqual([...ids].toSorted());
  expect(readdirSync(kept()).toSorted()).toEqual([...ids, 'current'].toSorted());
  expect((await state()).builds?.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
}, 60_000);

test('the version to which the app went back stays, however many others follow', async () => {
  const { serving: good } = await releases();
  if (!good) throw new Error('Nothing is kept.');
  for (const word of ['first bad', 'second bad', 'third bad']) {
    push(word);
    expect((await releases()).kept.map(({ id }) => id)).toContain(good);
    await succeed(dokku.releases.goBack(app, good));
  }
  expect(await tags()).toHaveLength(3);
  for (const word of ['two', 'three', 'four']) commits.push(push(word));
  commits.splice(1, 3);
}, 120_000);

test('new variables and a restart keep nothing, and the version that serves is known', async () => {
  const before = await tags();
  const { serving } = await releases();
  await dokkuRun(['config:set', app, 'CREW=3']);
  await succeed(dokku.ps.restart(app));
  expect(await tags()).toEqual(before);
  expect((await releases()).serving).toBe(serving);
});

test('the app goes back without a build, with the files and the branch of then', async () => {
  const id = await oldest();
  const { stdout } = await succeed(dokku.releases.goBack(app, id));
  expect(stdout).toContain(`=====> Release ${id} serves`);
  expect(stdout).not.toContain('Building');
  expect(await whole()).toEqual({
    served: 'two',
    head: commits[1],
    revision: commits[1],
    command: 'node serve.js --as two',
    left: [],
  });
  const told = await state();
  expect(told.releases.serving).toBe(id);
  const [record] = told.builds ?? [];
  expect(record).toMatchObject({ status: 'succeeded', source: 'deploy' });
  expect(told.commits.find(({ build }) => build === record?.id)).toMatchObject({
    commit: commits[1],
    title: 'two',
  });
  expect(await tags()).toHaveLength(3);
});

test('a restart and new variables stay with it, and a rebuild builds it', async () => {
  const id = await oldest();
  await succeed(dokku.ps.restart(app));
  await dokkuRun(['config:set', app, 'CREW=4']);
  expect([await served(), (await releases()).serving]).toEqual(['two', id]);
  await succeed(dokku.ps.rebuild(app));
  expect(await served()).toBe('two');
});

test('the next push is an ordinary one', async () => {
  commits.push(push('five'));
  expect(await served()).toBe('five');
});

test('a version that does not start leaves everything as it was', async () => {
  const id = await oldest();
  const before = await whole();
  // The code of then fails with a variable of now.
  const failing = push('six', { 'serve.js': server('six', 'if (process.env.BROKEN) process.exit(3);') });
  push('seven', { 'serve.js': server('seven') });
  await dokkuRun(['config:set', app, 'BROKEN=1']);
  const serving = await whole();
  const target = (await releases()).kept.find(({ commit }) => commit === failing);
  const outcome = await run(dokku.releases.goBack(app, target?.id ?? id));
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stdout).toContain('does not serve: the version before is put back');
  expect(await whole()).toEqual(serving);
  expect(before.served).toBe('five');
  await succeed(dokku.ps.restart(app));
  expect(await served()).toBe('seven');
  await dokkuRun(['config:unset', app, 'BROKEN']);
}, 60_000);

test('where the web process serves already and another one fails, the version before is deployed again', async () => {
  const worker = {
    'work.sh': '[ -z "$BROKEN" ] || exit 3; while :; do sleep 1; done',
    Procfile: 'web: node serve.js --as eight\nworker: sh work.sh\n',
  };
  const failing = push('eight', worker);
  push('nine', { 'work.sh': 'while :; do sleep 1; done', Procfile: worker.Procfile });
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('worker'), 1]]), { skipDeploy: false }));
  await dokkuRun(['config:set', app, 'BROKEN=1']);
  const serving = await whole();
  const target = (await releases()).kept.find(({ commit }) => commit === failing);
  if (!target) throw new Error('It was kept.');
  // So that the check of the worker lasts until it has ended, on a slow machine as well.
  pace(0.1);
  expect(await run(dokku.releases.goBack(app, target.id))).toMatchObject({ exitCode: 1 });
  pace(0);
  expect(await whole()).toEqual(serving);
  expect(serving.served).toBe('nine');
  const { processes } = await state();
  expect(processes.processes.map(({ name, state: now }) => [name, now])).toEqual([
    ['web.1', 'running'],
    ['worker.1', 'running'],
  ]);
  await dokkuRun(['config:unset', app, 'BROKEN']);
}, 60_000);

test('the app goes back although a type that the code has no more left its file', async () => {
  push('slim', { Procfile: 'web: node serve.js\n' });
  push('slimmer', { 'serve.js': server('slimmer') });
  const target = (await releases()).kept[1];
  await succeed(dokku.releases.goBack(app, target?.id ?? (await oldest())));
  expect([await served(), (await releases()).serving]).toEqual(['slim', target?.id]);
}, 60_000);

test('three rebuilds of one commit leave the other versions', async () => {
  const before = new Set((await releases()).kept.map(({ commit }) => commit));
  for (let round = 0; round < 3; round += 1) await succeed(dokku.ps.rebuild(app));
  expect(new Set((await releases()).kept.map(({ commit }) => commit))).toEqual(before);
}, 60_000);

test.each([
  ['web alone', 'web: node serve.js', ['web.1']],
  ['a worker', 'web: node serve.js\nworker: sh work.sh', ['web.1', 'worker.1']],
])(
  'a Procfile without a line end at its end goes back with %s',
  async (_name, Procfile, processes) => {
    push(`open ${Procfile.length}`, { Procfile, 'work.sh': 'while :; do sleep 1; done' });
    if (processes.length > 1)
      await succeed(dokku.ps.scale(app, new Map([[dokku.processType('worker'), 1]]), { skipDeploy: false }));
    push(`closed ${Procfile.length}`, { Procfile: `${Procfile}\n` });
    const target = (await releases()).kept[1];
    await succeed(dokku.releases.goBack(app, target?.id ?? (await oldest())));
    const told = await state();
    expect(told.releases.serving).toBe(target?.id);
    expect(told.processes.processes.map(({ name }) => name)).toEqual(expect.arrayContaining(processes));
  },
  60_000,
);

test('a stopped app is not started', async () => {
  const id = await oldest();
  await succeed(dokku.ps.stop(app));
  const outcome = await run(dokku.releases.goBack(app, id));
  expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Start the app first') });
  await succeed(dokku.ps.start(app));
}, 60_000);

test('an app whose name ends like a working folder does not stand in the way', async () => {
  const neighbour = dokku.appName(`${app}.before`);
  await succeed(dokku.apps.create(neighbour));
  mkdirSync(join(dirname(kept()), neighbour, 'current'), { recursive: true });
  const { target } = await twoVersions(['oak', 'elm']);
  await succeed(dokku.releases.goBack(app, target));
  expect(await served()).toBe('oak');
  expect(existsSync(join(dirname(kept()), neighbour, 'current'))).toBe(true);
  await succeed(dokku.apps.destroy(neighbour));
}, 60_000);

test('a release is not removed while a going-back reads it', async () => {
  const { target } = await twoVersions(['iron', 'gold']);
  const reached = stage.scratch('reached');
  rmSync(reached, { force: true });
  const undo = intercept(
    'dokku',
    `if [ "$2" = config:set ]; then touch ${reached}; while [ -e ${reached} ]; do sleep 0.1; done; fi`,
  );
  const going = run(dokku.releases.goBack(app, target));
  await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 30_000 });
  // It goes on, so it was not cut off.
  expect((await releases()).cutOff).toBe(null);
  expect((await run(dokku.releases.remove(app, target))).exitCode).not.toBe(0);
  rmSync(reached);
  expect((await going).exitCode).toBe(0);
  undo();
  expect([await served(), (await releases()).kept.map(({ id }) => id)]).toEqual([
    'iron',
    expect.arrayContaining([target]),
  ]);
}, 60_000);

test('an image that runs lines of its own in each child is not kept', async () => {
  mkdirSync(join(stage.root(), 'faults'), { recursive: true });
  writeFileSync(join(stage.root(), 'faults/on-build'), '');
  const before = await tags();
  push('trap');
  expect([await served(), await tags()]).toEqual(['trap', before]);
});

test('an image of herokuish gets the variables of now, as its own user reads them, and another image gets no file', async () => {
  const { target } = await twoVersions(['sun', 'moon']);
  await dokkuRun(['config:set', '--no-restart', app, 'TIDE=ebb and flow']);
  const seen = stage.scratch('seen');
  const undo = intercept(
    'docker',
    `if [ "$1" = build ]; then for last; do :; done; [ "$last" = - ] || { rm -rf ${seen}; cp -r "$last" ${seen}; }; fi`,
  );
  await succeed(dokku.releases.goBack(app, target));
  undo();
  expect(readFileSync(join(seen, 'Dockerfile'), 'utf8')).toBe(
    `FROM homeport.invalid/kept/${app}:${target}\nCOPY --chown=herokuishuser 00-global-env.sh 01-app-env.sh /app/.profile.d/\n`,
  );
  expect(readFileSync(join(seen, '01-app-env.sh'), 'utf8')).toContain("export TIDE='ebb and flow'");
  expect((await run(dokku.releases.goBack(app, await another()))).exitCode).toBe(0);
  await dokkuRun(['config:unset', '--no-restart', app, 'TIDE']);
}, 60_000);

test('an image that cannot be made changes nothing', async () => {
  const id = await another();
  const before = await whole();
  mkdirSync(join(stage.root(), 'faults'), { recursive: true });
  writeFileSync(join(stage.root(), 'faults/docker-build'), '');
  expect(await run(dokku.releases.goBack(app, id))).toMatchObject({ exitCode: 1 });
  expect(await whole()).toEqual(before);
});

test('the work ends on the server when whoever follows it is killed', async () => {
  const id = await another();
  const before = await served();
  const child = spawn('dokku', dokku.releases.goBack(app, id).words.slice(0), {
    env: stage.environment(),
    detached: true,
  });
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await vi.waitFor(async () => expect((await releases()).serving).toBe(id), {
    timeout: 30_000,
    interval: 200,
  });
  await vi.waitFor(
    () => expect(readdirSync(kept()).filter((name) => !/^[a-z0-9]+$/.test(name))).toEqual([]),
    {
      timeout: 30_000,
    },
  );
  expect(await served()).not.toBe(before);
}, 60_000);

test('a release whose image somebody removed is not told and is refused', async () => {
  const id = await oldest();
  await docker('image', 'rm', `homeport.invalid/kept/${app}:${id}`);
  expect((await releases()).kept.map((release) => release.id)).not.toContain(id);
  const outcome = await run(dokku.releases.goBack(app, id));
  expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  expect(outcome.stderr).toContain(`Release ${id} of ledger is not kept`);
});

test('a release is removed on request, and what serves goes on', async () => {
  const id = await oldest();
  const before = await served();
  await succeed(dokku.releases.remove(app, id));
  await succeed(dokku.releases.remove(app, id));
  expect(await tags()).not.toContain(id);
  expect(existsSync(join(kept(), id))).toBe(false);
  expect(await served()).toBe(before);
});

test('a Docker that does not answer is no Docker without the image', async () => {
  const id = await oldest();
  const undo = intercept('docker', '[ "$1" != image ] || exit 1');
  const removed = await run(dokku.releases.remove(app, id));
  const gone = await run(dokku.releases.goBack(app, id));
  undo();
  expect(removed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Docker does not answer') });
  expect(gone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Docker does not say') });
  expect([await tags(), existsSync(join(kept(), id))]).toEqual([expect.arrayContaining([id]), true]);
});

test('builds of no app prune what is kept of another one', async () => {
  const id = await oldest();
  const image = `homeport.invalid/kept/${app}:${id}`;
  const label = await docker('image', 'inspect', '--format', '{{json .Config.Labels}}', image);
  // What Dokku takes for an app's name (plugins/common/common.go, isValidAppName).
  expect(JSON.parse(label)['com.dokku.app-name']).not.toMatch(/^[a-z0-9]/);
});

test('the plugin keeps as many versions, with as much free disk, as the page says', () => {
  const place = (name: string) =>
    join(stage.root(), 'machine/var/lib/dokku/plugins/available/homeport', name);
  const linesOf = (name: string) => readFileSync(place(name), 'utf8').split('\n');
  expect(linesOf('post-deploy')).toContain(`kept_at_most=${releasesKept}`);
  expect(linesOf('release-functions')).toContain(`needed_bytes=${releaseDiskBytes}`);
});

/** What `df` says of the disk, until the answer is called. */
function disk(line: string): () => void {
  const df = join(stage.root(), 'bin/df');
  writeFileSync(df, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return () => rmSync(df);
}
const free = (bytes: number) => disk(`printf 'Avail\\n${bytes}\\n'`);

test('on a disk with less than 5 GB a build gets the room of the other versions, and a deploy keeps none', async () => {
  for (const word of ['nine', 'ten', 'eleven']) push(word);
  const { serving } = await releases();
  expect(await tags()).toHaveLength(releasesKept);
  const undo = free(releaseDiskBytes - 1);
  expect(() => push('broken', { 'serve.js': 'process.exit(3)' })).toThrow();
  expect(await tags()).toEqual([serving]);
  push('twelve');
  expect([await served(), await tags()]).toEqual(['twelve', []]);
  expect((await releases()).kept).toEqual([]);
  undo();
  const enough = free(releaseDiskBytes);
  push('thirteen');
  expect([await served(), await tags()]).toEqual(['thirteen', [(await releases()).serving]]);
  enough();
}, 60_000);

test('where nobody says how full the disk is nothing more is kept, and nothing goes', async () => {
  const before = await tags();
  const undo = disk('exit 1');
  push('fourteen');
  expect([await served(), await tags()]).toEqual(['fourteen', before]);
  undo();
});

test('an image is made by the builder of Docker itself, whatever builder is in use', async () => {
  const { target } = await twoVersions(['ash', 'yew']);
  const asked = stage.scratch('builders');
  const undo = intercept('docker', `[ "$1" != build ] || echo "$BUILDX_BUILDER" >>${asked}`);
  await succeed(dokku.releases.goBack(app, target));
  push('larch');
  undo();
  // Of the version before, of `latest`, and of the version that was pushed.
  expect(readFileSync(asked, 'utf8').trim().split('\n')).toEqual(['default', 'default', 'default']);
}, 60_000);

test('an image that was deployed is an image also when the app goes back to it', async () => {
  const { target } = await twoVersions(['birch', 'beech']);
  // As a deploy of an image leaves it.
  const about = join(kept(), target, 'about');
  const lines = readFileSync(about, 'utf8').split('\n');
  writeFileSync(about, [...lines.slice(0, 3), 'git:from-image', ''].join('\n'));
  await succeed(dokku.releases.goBack(app, target));
  const told = await state();
  const [record] = told.builds ?? [];
  expect(record).toMatchObject({ status: 'succeeded', source: 'git:from-image' });
  expect(told.commits.find(({ build }) => build === record?.id)).toMatchObject({ back: true, image: true });
  expect([await served(), told.releases.serving]).toEqual(['birch', target]);
}, 60_000);

test('a version that was an image keeps the name of its own image, and not that of the next one', async () => {
  push('holly');
  const { serving } = await releases();
  if (!serving) throw new Error('It is kept.');
  const image = 'registry.example.com/holly@sha256:1';
  new State(pathsOf(stage.root())).changeApp(app, (changed) => {
    Object.assign(changed, { deploySource: 'docker-image', deploySourceMetadata: image });
  });
  push('ivy');
  expect(readFileSync(join(kept(), serving, 'source-image'), 'utf8').trim()).toBe(image);
  const { kept: all, serving: now } = await releases();
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([serving, now]));
  expect(existsSync(join(kept(), now ?? '', 'source-image'))).toBe(false);
}, 60_000);

it.each(['', '../x', 'a b', '_before', '-f', 'x'.repeat(33), '$(id)'])(
  'refuses %j as a release',
  async (id) => {
    for (const verb of ['rollback', 'release-delete'])
      expect(await dokkuRun([`homeport:${verb}`, app, id])).toMatchObject({ exitCode: 1, stdout: '' });
  },
);

test('an app with another name forgets its releases, another app keeps its own, and so does one that is destroyed', async () => {
  const script = join(stage.root(), 'machine/var/lib/dokku/plugins/available/homeport/post-app-rename-setup');
  const lib = join(stage.root(), 'lib');
  const home = join(stage.root(), 'home');
  const env = {
    ...stage.environment(),
    ...{ DOKKU_LIB_ROOT: lib, DOKKU_ROOT: home, DOCKER_BIN: 'docker' },
    PLUGIN_AVAILABLE_PATH: dirname(dirname(script)),
  };
  const other = join(dirname(kept()), 'binnacle');
  mkdirSync(join(other, 'current'), { recursive: true });
  expect((await tags()).length).toBeGreaterThan(0);
  await promisify(execFile)('bash', [script, app, 'logbook'], { env });
  expect([existsSync(kept()), await tags(), existsSync(other)]).toEqual([false, [], true]);
  push('last');
  expect((await tags()).length).toBe(1);
  await succeed(dokku.apps.destroy(app));
  expect([existsSync(kept()), await tags()]).toEqual([false, []]);
});
