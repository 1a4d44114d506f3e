import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { leaveContainer } from '../testing/left-container.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { beginBuild, endBuild } from './machine/builds.ts';
import { pathsOf } from './machine/paths.ts';
import { State } from './machine/state.ts';

// The plugin's own files, run by bash on the sandbox, against the answers of Dokku's reports.

// A test starts Dokku and git up to ten times, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const app = dokku.appName('ledger');
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-plugin-'));
  host = await prepareSandboxHost({ root: join(folder, 'host'), counted: true });
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), placeOfPlugin(), { recursive: true });
  await succeed(dokku.plugin.enable('homeport'));
  await succeed(dokku.domains.setGlobal(dokku.domainName('apps.example.com')));
  await succeed(dokku.apps.create(app));
  await dokkuRun(['config:set', '--no-restart', app, `TOKEN=${secret}`, `LINES=a\nexport NO_VHOST='1'\nb`]);
  await succeed(dokku.resource.limit(app, { memoryMb: 128, cpus: 0.5 }));
  await succeed(dokku.storage.create(storage, 'false'));
  await succeed(dokku.storage.mount(app, storage, dokku.storage.containerPathSchema.parse('/app/data')));
  await push({ 'index.html': 'ahoy', 'readme.MD': 'A “ledger” of\nlamps\n' });
}, 120_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const author = 'Ada "of" Ünna';
/** The pushes that ended in a failed deploy. */
const refusedPushes: string[] = [];
const secret = 'canary-7f3a';
const storage = dokku.storage.storageNameSchema.parse('ledger-data');
const placeOfPlugin = () => join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');

function dokkuRun(words: readonly string[]): Promise<dokku.Outcome> {
  return new Promise((resolve) =>
    execFile('dokku', words, { env: host.env, maxBuffer: 8 << 20 }, (error, stdout, stderr) =>
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

async function state() {
  const told = dokku.homeport.readState(await succeed(dokku.homeport.state(app)));
  if (!told) throw new Error('The plugin told of no app.');
  return told;
}

async function push(files: Record<string, string>, message = 'a'): Promise<string> {
  const work = mkdtempSync(join(folder, 'project-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const ssh = join(folder, 'ssh');
  // The forced command of a push, without an sshd.
  writeFileSync(ssh, `#!/bin/sh\nshift\nSSH_ORIGINAL_COMMAND="$*" exec ${host.root}/bin/dokku-key tester\n`, {
    mode: 0o755,
  });
  const git = (...words: string[]): string =>
    execFileSync(
      'git',
      ['-c', `user.name=${author}`, '-c', 'user.email=t@example.com', '-C', work, ...words],
      {
        env: { ...process.env, ...host.env, GIT_SSH: ssh, GIT_SSH_VARIANT: 'simple' },
        stdio: 'pipe',
        encoding: 'utf8',
      },
    );
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', message);
  const commit = git('rev-parse', 'HEAD').trim();
  try {
    git('push', '-q', '--force', `dokku@host:${app}`, 'main');
  } catch {
    refusedPushes.push(commit);
  }
  return commit;
}

const source = (name: string) => fileURLToPath(new URL(`../../dokku/plugin/${name}`, import.meta.url));
const programs = dokku.pluginFiles.files.filter(({ text }) => text.startsWith('#!/usr/bin/env bash\n'));

test('shellcheck finds nothing in any file of the plugin but its description', async () => {
  expect(dokku.pluginFiles.files.filter((file) => !programs.includes(file))).toMatchObject([
    { path: 'plugin.toml' },
  ]);
  // -x reads what a program sources as often as a program sources it.
  await promisify(execFile)('shellcheck', ['-x', ...programs.map(({ path }) => `dokku/plugin/${path}`)], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
}, 400_000);

/** The programs that write, each only beneath the folders of dumps, schedules, runs, commits and sites, or among ssh's settings of the user dokku. */
const writers = new Set([
  'post-extract',
  'post-delete',
  'post-deploy',
  'release-functions',
  'rollback-work',
  'subcommands/rollback',
  'subcommands/release-delete',
  'site-functions',
  'site-work',
  'subcommands/site-write',
  'key-functions',
  'subcommands/containers-delete',
  'subcommands/deploy-key-delete',
  'subcommands/deploy-key-write',
  'dump-functions',
  'schedule-functions',
  'restore-functions',
  'test-functions',
  'subcommands/restore-test',
  ...['dump', 'dump-delete', 'dump-write', 'restore', 'backup'].map((name) => `subcommands/${name}`),
  ...['schedule-write', 'schedule-delete', 'schedules-withdraw', 'target-check'].map(
    (name) => `subcommands/${name}`,
  ),
]);
/** A line that names a file of those places, or says what the folder is for, or puts a snapshot into a container, or removes a container or a kept image. */
const namesOwnFile = (line: string) =>
  /"\$(?:new_config|config|keys\/|\{keys:\?\}\/|folder\/|partial|left|scratch|new|log|runs|place|\{commits:\?\}\/|\{schedules:\?\}\/|schedules\/|\{releases:\?\}\/|releases\/|\{sites:\?\}\/|sites\/|kept\/|\{work:\?\}|commits\/|tests|lib\/data\/homeport)/.test(
    line,
  ) ||
  line.startsWith('#') ||
  line.includes('cp "$2" "dokku.redis.') ||
  line.includes('container rm --force "$id"') ||
  line.includes('image rm "$REPLY"');

test('the console installs each file of the plugin, and no other', () => {
  const there = readdirSync(source(''), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(there).toHaveLength(dokku.pluginFiles.files.length);
  for (const { path, text } of dokku.pluginFiles.files) {
    expect(existsSync(source(path))).toBe(true);
    const lines = writers.has(path) ? text.split('\n').filter((line) => !namesOwnFile(line)) : [text];
    // What a program cannot name, it cannot write.
    for (const line of lines)
      expect(line).not.toMatch(
        /\b(?:mktemp|tee|sed -i|rm|mv|cp|touch|chmod|chown)\b|>>|plugin-property-(?:write|delete)/,
      );
  }
});

test('the state agrees with Dokku’s reports, field by field', async () => {
  const told = await state();
  expect(told.processes).toEqual(dokku.ps.readReport(await succeed(dokku.ps.report(app))));
  expect(told.processes).toMatchObject({ deployed: true, running: 'true', processes: [{ name: 'web.1' }] });
  expect(told.containers).toEqual(dokku.ps.readInspect(await succeed(dokku.ps.inspect(app))));
  expect(told.builds).toEqual(dokku.builds.readList(await succeed(dokku.builds.list(app))));
  expect(told.builds).toMatchObject([{ status: 'succeeded', source: 'git-hook' }]);
  expect(told.domains).toEqual(dokku.domains.readReport(await succeed(dokku.domains.report(app))).domains);
  expect(told.addresses).toEqual(dokku.apps.readUrls(await succeed(dokku.apps.urls(app))));
  expect(told.limits).toEqual(dokku.resource.readReport(await succeed(dokku.resource.report(app))));
  expect(told.git).toEqual(dokku.git.readReport(await succeed(dokku.git.report(app))));
  expect(told.mounts).toEqual(dokku.storage.readList(await succeed(dokku.storage.list(app))));
  const ports = JSON.parse((await dokkuRun(['ports:report', app, '--format', 'json'])).stdout);
  expect(told.ports.map((port) => `${port.scheme}:${port.hostPort}:${port.containerPort}`).join(' ')).toBe(
    ports.map || ports['map-detected'],
  );
  expect(told.proxy).toBe(dokku.proxy.readType(await succeed(dokku.proxy.report(app))));
  // The plugin says nothing of locks, and a going-back asks Dokku itself for the folder.
  const {
    locked: _locked,
    folder: _folder,
    ...report
  } = dokku.apps.readReport(await succeed(dokku.apps.report(app)));
  expect(told).toMatchObject(report);
});

test('the site is told as nginx:report tells it, with the template of the last deploy', async () => {
  const reported = async () => dokku.nginx.readReport(await succeed(dokku.nginx.report(app)));
  expect((await state()).site).toEqual({ ...(await reported()), ownTemplate: false });
  await dokkuRun(['nginx:set', app, 'client-max-body-size', '50m']);
  await dokkuRun(['nginx:set', app, 'hsts', 'false']);
  const template = (text: string | undefined) =>
    new State(pathsOf(host.root)).changeApp(
      app,
      (changed) => void Object.assign(changed, { template: text }),
    );
  template('server {}\n');
  const told = (await state()).site;
  expect(told).toEqual({ ...(await reported()), ownTemplate: true });
  expect(told).toMatchObject({ uploadLimit: { set: '50m', otherwise: '1m' }, hsts: { set: 'false' } });
  const built = await dokkuRun(['proxy:build-config', app]);
  expect(built.stdout).toContain('Overriding default nginx.conf with detected nginx.conf.sigil');
  await dokkuRun(['nginx:set', app, 'disable-custom-config', 'true']);
  expect((await state()).site).toMatchObject({ ownTemplate: false });
  await dokkuRun(['nginx:set', app, 'disable-custom-config']);
  template(undefined);
  for (const property of ['client-max-body-size', 'hsts']) await dokkuRun(['nginx:set', app, property]);
});

test('a stopped app is told as stopped, and a crashed one as crashed', async () => {
  await succeed(dokku.ps.stop(app));
  expect((await state()).processes).toMatchObject({ stopped: true, crashed: false });
  await succeed(dokku.ps.start(app));
  await promisify(execFile)('docker', ['kill', 'ledger.web.1'], { env: host.env });
  const crashed = await state();
  expect(crashed.processes).toMatchObject({ stopped: false, crashed: true });
  expect(crashed.containers).toMatchObject([{ state: 'exited', exitCode: 137 }]);
  await succeed(dokku.ps.start(app));
});

test('no answer holds the value of a variable, or a property that nobody asked for', async () => {
  const answers = [
    await succeed(dokku.homeport.state(app)),
    await succeed(dokku.homeport.states()),
    await succeed(dokku.homeport.storage(app)),
  ];
  for (const { stdout } of answers) {
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('TOKEN');
  }
  // A value that reads like Dokku's own line of the same file switches nothing off.
  expect((await state()).addresses).toHaveLength(1);
});

test('the state of all apps is that of each', async () => {
  const [told] = await dokku.homeport.readStates(await succeed(dokku.homeport.states()));
  const alone = {
    readme: undefined,
    listed: null,
    commits: [],
    processTypes: null,
    releases: { kept: [], serving: null, known: true, cutOff: null, branch: null },
  };
  expect(told).toEqual({ ...(await state()), ...alone });
});

test('the readme is read without root, by its name in any case', async () => {
  expect(dokku.homeport.readReadme(await succeed(dokku.homeport.readme(app)), app)).toBe(
    'A “ledger” of\nlamps\n',
  );
});

describe('the checks of the app.json that was deployed last', () => {
  type Sources = { manifest?: string | undefined; checksFile?: string | undefined; scheduler?: string };
  const none: Sources = { manifest: undefined, checksFile: undefined, scheduler: '' };
  const deployed = (sources: Sources) =>
    new State(pathsOf(host.root)).changeApp(app, (changed) => void Object.assign(changed, none, sources));
  const asked = () => succeed(dokku.ownChecks.ownChecks(app));
  const told = async () => dokku.ownChecks.readOwnChecks(await asked(), app);
  afterAll(() => deployed({}));

  const healthchecks = { web: [{ type: 'startup', path: '/up' }] };
  const own = [{ kind: 'path', asks: '/up', use: 'runs' }];

  it('are told without the rest of the file, also under a name in another case', async () => {
    const env = { TOKEN: { value: secret } };
    deployed({ manifest: JSON.stringify({ env, HealthChecks: healthchecks }) });
    const answer = await asked();
    expect(dokku.ownChecks.readOwnChecks(answer, app).checks.get('web')?.own).toMatchObject(own);
    const passed = /"manifest":"([^"]*)"/.exec(answer.stdout)?.[1] ?? '';
    expect(JSON.parse(Buffer.from(passed, 'base64').toString())).toEqual({ HealthChecks: healthchecks });
  });

  it('are told of a file with comments, but not of one that is too long', async () => {
    const text = `${JSON.stringify({ healthchecks })} // Ready`;
    deployed({ manifest: text.padEnd(32_768) });
    expect((await told()).checks.get('web')?.own).toMatchObject(own);
    deployed({ manifest: text.padEnd(32_769) });
    expect(await told()).toMatchObject({ manifest: 'unreadable', checks: new Map() });
  });

  it('are not told where they would become too long', async () => {
    // jq writes this number in more characters.
    const manifest = (count: number) =>
      deployed({ manifest: `{"healthchecks":{"web":[${Array(count).fill('1e999').join()}]}}` });
    manifest(1_000);
    expect(await succeed(dokku.ownChecks.ownChecks(app))).toMatchObject({
      stdout: expect.stringMatching(/"manifest":"/),
    });
    manifest(5_000);
    expect(await succeed(dokku.ownChecks.ownChecks(app))).toMatchObject({
      stdout: expect.stringContaining('"there":true,"manifest":null'),
    });
  });

  it('are none of a file that is no object, and of no file', async () => {
    deployed({ manifest: '[]' });
    expect(await told()).toMatchObject({ manifest: 'unreadable' });
    deployed({ manifest: '' });
    expect(await told()).toMatchObject({ manifest: 'read', checks: new Map() });
    deployed({});
    expect(await told()).toMatchObject({ manifest: 'none', checksFile: false });
  });

  it('have a CHECKS file beside them only where it is not empty', async () => {
    deployed({ manifest: '{}', checksFile: '/up ok\n' });
    expect(await told()).toMatchObject({ manifest: 'read', checksFile: true });
    deployed({ checksFile: '/up ok\n' });
    expect(await told()).toMatchObject({ manifest: 'none', checksFile: true });
    deployed({ checksFile: '' });
    expect(await told()).toMatchObject({ manifest: 'none', checksFile: false });
  });

  it('are unknown of an app that another scheduler runs', async () => {
    const manifest = JSON.stringify({ healthchecks });
    deployed({ manifest, scheduler: 'k3s' });
    expect(await told()).toMatchObject({ manifest: 'unknown', checks: new Map() });
    deployed({ manifest, scheduler: 'docker-local' });
    expect(await told()).toMatchObject({ manifest: 'read' });
  });
});

test('a state carries the start of the readme', async () => {
  expect((await state()).readme).toBe('A “ledger” of\nlamps\n');
});

test('a deploy names its commit, also one whose push was refused, and so does a rebuild', async () => {
  const first = (await state()).builds?.at(-1)?.id;
  const message = 'Say "ahoy" twice\n\nAnd more.';
  const failing = await push({ Procfile: 'web: exit 3' }, 'Break it');
  expect(refusedPushes).toEqual([failing]);
  const pushed = await push({ 'index.html': 'ahoy ahoy' }, message);
  await succeed(dokku.ps.rebuild(app));
  expect(await dokkuRun(['config:set', app, 'CREW=3'])).toMatchObject({ exitCode: 0 });
  const { builds, commits } = await state();
  const commitOf = new Map(commits.map(({ build, ...commit }) => [build, commit]));
  const told = builds?.filter(({ id }) => id !== first).map(({ id, source }) => [source, commitOf.get(id)]);
  const commit = { commit: pushed, author, title: 'Say "ahoy" twice', back: false, image: false };
  expect(told).toEqual([
    ['config-redeploy', undefined],
    ['ps:rebuild', commit],
    ['git-hook', commit],
    ['git-hook', { commit: failing, author, title: 'Break it', back: false, image: false }],
  ]);
}, 60_000);

test('a note without words is completed from the repository, and one that no record has goes', async () => {
  const folder = join(host.root, 'lib/data/homeport/commits/ledger');
  const { commits } = await state();
  const [whole] = commits.filter(({ title }) => title.startsWith('Say'));
  writeFileSync(join(folder, whole?.build ?? ''), `${whole?.commit}\n\n\n`);
  writeFileSync(join(folder, 'gone'), `${whole?.commit}\nt\nt\n`);
  expect((await state()).commits).toContainEqual(whole);
  await succeed(dokku.ps.rebuild(app));
  expect(readdirSync(folder)).not.toContain('gone');
  expect((await state()).commits.length).toBe(commits.length + 1);
});

test('a deploy succeeds where its commit cannot be noted', async () => {
  const folder = join(host.root, 'lib/data/homeport/commits');
  const notes = join(host.root, 'lib/data/homeport/notes');
  renameSync(folder, notes);
  writeFileSync(folder, '');
  try {
    const { exitCode, stdout, stderr } = await run(dokku.ps.rebuild(app));
    expect(exitCode).toBe(0);
    expect(stdout + stderr).not.toContain('commits');
    expect((await state()).commits).toEqual([]);
  } finally {
    rmSync(folder);
    renameSync(notes, folder);
  }
});

test('the notes go with the app', async () => {
  const other = dokku.appName('shortlived');
  const folder = join(host.root, 'lib/data/homeport/commits', other);
  await succeed(dokku.apps.create(other));
  mkdirSync(folder);
  await succeed(dokku.apps.destroy(other));
  expect(existsSync(folder)).toBe(false);
});

test('folders are measured', async () => {
  const mounts = dokku.homeport.readStorage(await succeed(dokku.homeport.storage(app)), app);
  expect(mounts).toMatchObject([
    { name: storage, containerPath: '/app/data', usedBytes: expect.any(Number) },
  ]);
});

test('the times of its files show a stop', async () => {
  const { words } = dokku.homeport.changeTimes(app);
  const times = async () => {
    const { stdout } = await promisify(execFile)(words[0] ?? '', words.slice(1), { env: host.env });
    return dokku.homeport.readChangeTimes({ exitCode: 0, stdout, stderr: '' });
  };
  const before = await times();
  expect(before).not.toBeNull();
  expect(await times()).toBe(before);
  await succeed(dokku.ps.stop(app));
  expect(await times()).not.toBe(before);
  await succeed(dokku.ps.start(app));
});

test.each(['nope', '../etc', '--all', 'a b', '$(touch /tmp/x)', "x'y", 'Ledger', 'a'.repeat(200)])(
  'refuses the name %s as Dokku does',
  async (name) => {
    for (const command of ['state', 'readme', 'storage', 'checks']) {
      const outcome = await dokkuRun([`homeport:${command}`, name]);
      expect(outcome).toMatchObject({ exitCode: 20, stdout: '' });
      expect(outcome.stderr).toContain('does not exist');
    }
  },
);

describe('containers of failed deploys', () => {
  const remove = async (...ids: string[]) => {
    const named = ids.map((id) => dokku.leftContainers.containerIdSchema.parse(id));
    const outcome = await succeed(dokku.leftContainers.remove(app, named));
    return dokku.leftContainers.readRemoved(outcome, named).map(({ end }) => end);
  };
  const upcoming = async () => (await state()).listed?.upcoming.map(({ id }) => id);

  it('are told with their ids, and removed by them', async () => {
    const [first, second] = [45, 31].map((minutesAgo) => leaveContainer(host.root, app, { minutesAgo }));
    if (!first || !second) throw new Error('Two were left.');
    expect(await upcoming()).toEqual(expect.arrayContaining([first, second]));
    expect(await remove(first)).toEqual(['removed']);
    expect(await upcoming()).toEqual([second]);
    expect(await remove(first, second)).toEqual(['gone', 'removed']);
    expect(await upcoming()).toEqual([]);
  });

  it('of a deploy that may still use them stay', async () => {
    const id = leaveContainer(host.root, app, { minutesAgo: 29 });
    expect(await remove(id)).toEqual(['new']);
    expect(await upcoming()).toEqual([id]);
  });

  it('stay while a process works on a deploy of the app', async () => {
    const id = leaveContainer(host.root, app, { minutesAgo: 45 });
    const paths = pathsOf(host.root);
    const record = beginBuild(paths, app, 'build', 'git-hook');
    expect(await remove(id)).toEqual(['new']);
    endBuild(paths, record, 'failed', 1);
    expect(await remove(id)).toEqual(['removed']);
  });

  it('are no containers that serve, nor those of another app or a database', async () => {
    const { stdout } = await promisify(execFile)(
      'docker',
      ['ps', '--no-trunc', '--filter', `label=com.dokku.app-name=${app}`, '--format', '{{.ID}}'],
      { env: host.env },
    );
    const serving = stdout.trim().split('\n');
    expect(serving).toHaveLength(1);
    expect(await remove(...serving)).toEqual(['used']);
    const other = dokku.appName('other');
    await succeed(dokku.apps.create(other));
    expect(
      await run(
        dokku.leftContainers.remove(
          other,
          serving.map((id) => dokku.leftContainers.containerIdSchema.parse(id)),
        ),
      ),
    ).toMatchObject({ stdout: expect.stringContaining('"end":"gone"') });
    expect((await state()).processes).toMatchObject({ running: 'true' });
    await succeed(dokku.apps.destroy(other));
  });

  it.each([[], ['web.1'], ['--all'], ['ab'.repeat(31)], ['ab'.repeat(32), '$(id)']])(
    'are refused without whole ids: %o',
    async (...ids) => {
      const outcome = await dokkuRun(['homeport:containers-delete', app, ...ids]);
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    },
  );
});

test('an access rule hides an app from each command', async () => {
  const rules = join(host.root, 'machine/var/lib/dokku/plugins/enabled/rules');
  mkdirSync(rules, { recursive: true });
  const rule = join(rules, 'user-auth-app');
  writeFileSync(rule, '#!/bin/sh\nshift 2\nfor app in "$@"; do [ "$app" = ledger ] || echo "$app"; done\n');
  chmodSync(rule, 0o755);
  try {
    expect(await run(dokku.homeport.state(app))).toMatchObject({ exitCode: 20, stdout: '' });
    expect(await run(dokku.homeport.readme(app))).toMatchObject({ exitCode: 20, stdout: '' });
    expect(await run(dokku.homeport.storage(app))).toMatchObject({ exitCode: 20, stdout: '' });
    const id = dokku.leftContainers.containerIdSchema.parse('ab'.repeat(32));
    expect(await run(dokku.leftContainers.remove(app, [id]))).toMatchObject({ exitCode: 20, stdout: '' });
    expect(await dokku.homeport.readStates(await succeed(dokku.homeport.states()))).toEqual([]);
  } finally {
    rmSync(rules, { recursive: true });
  }
});

test('the types of process are told as Dokku keeps them, each with its command and its own limits', async () => {
  const serve = 'node serve.js --name "a b"';
  const command = 'sh work.sh';
  const commit = await push({
    'serve.js': 'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT);',
    'work.sh': 'while true; do sleep 1; done',
    Procfile: `web: ${serve}\nworker: ${command}\n`,
  });
  await dokkuRun(['resource:limit', '--process-type', 'worker', '--memory', '64', app]);
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('worker'), 1]]), { skipDeploy: false }));
  await succeed(dokku.ps.restartType(app, dokku.processType('worker')));
  const told = await state();
  expect(told.processTypes).toEqual({
    types: [
      { type: 'web', command: serve, quantity: 1, memoryMb: null, cpus: null },
      { type: 'worker', command, quantity: 1, memoryMb: 64, cpus: null },
    ],
    scalable: true,
    restartPolicy: 'on-failure:10',
    stopSeconds: 30,
  });
  expect(dokku.ps.readScale(await succeed(dokku.ps.listScale(app)))).toEqual(
    new Map([
      ['web', 1],
      ['worker', 1],
    ]),
  );
  expect([...told.revisions.values()]).toEqual([commit, commit]);
  await succeed(dokku.ps.scale(app, new Map([[dokku.processType('worker'), 0]]), { skipDeploy: false }));
});

test('the rules of restart and stop are told as they are set', async () => {
  await succeed(dokku.ps.setRestartPolicy(app, 'always'));
  await succeed(dokku.ps.setStopSeconds(app, 60));
  expect((await state()).processTypes).toMatchObject({ restartPolicy: 'always', stopSeconds: 60 });
  await succeed(dokku.ps.restart(app));
  expect((await state()).containers).toMatchObject([{ restartPolicy: 'always' }]);
  expect(await run(dokku.ps.setRestartPolicy(app, 'sometimes'))).toMatchObject({ exitCode: 1 });
  await succeed(dokku.ps.setRestartPolicy(app, 'on-failure:10'));
});

test('a variable that only calls itself a commit is not told', async () => {
  const forged = 'x"],"exitCode":7,"y":["z';
  await dokkuRun(['config:set', '--no-restart', app, `GIT_REV=${forged}`]);
  await succeed(dokku.ps.restart(app));
  const told = await state();
  expect([told.revisions.size, told.containers?.[0]?.exitCode]).toEqual([0, 0]);
});

test('a start costs what it was measured to cost', () => {
  const { starts } = host;
  expect(starts()).toContainEqual({ command: 'homeport:state', cpuSeconds: 0.28 });
  expect(starts()).toContainEqual({ command: 'ps:report', cpuSeconds: 2.4 });
});

test('a disabled plugin is recognised as absent', async () => {
  await succeed(dokku.plugin.disable('homeport'));
  const rows = dokku.plugin.readList(await succeed(dokku.plugin.list()));
  expect(rows).toContainEqual({ name: 'homeport', version: dokku.pluginFiles.version, enabled: false });
  const outcome = await run(dokku.homeport.state(app));
  expect(dokku.homeport.isAbsent(outcome)).toBe(true);
  expect(await run(dokku.plugin.disable('homeport'))).toMatchObject({ exitCode: 1 });
  await succeed(dokku.plugin.enable('homeport'));
  expect(dokku.homeport.isAbsent(await run(dokku.homeport.state(app)))).toBe(false);
});
