import { planOf } from '@homeport/contract/apps/plans';
import { describe, expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import type { Command } from '../command.ts';
import * as probe from '../host/probe.ts';
import { appName } from '../names/app-name.ts';
import { domainName } from '../names/domain-name.ts';
import { envKey } from '../names/env-key.ts';
import { fingerprintOf } from '../names/fingerprint.ts';
import { processType } from '../names/process-type.ts';
import { sshKeyName } from '../names/ssh-key-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { argvFor } from '../ways.ts';
import * as acl from './acl.ts';
import * as apps from './apps.ts';
import * as builds from './builds.ts';
import * as config from './config.ts';
import * as domains from './domains.ts';
import * as git from './git.ts';
import * as letsencrypt from './letsencrypt.ts';
import * as logs from './logs.ts';
import * as plugin from './plugin.ts';
import * as ports from './ports.ts';
import * as ps from './ps.ts';
import * as resource from './resource.ts';
import * as sshKeys from './ssh-keys.ts';
import * as storage from './storage.ts';

const hello = appName('hello');
const alice = sshKeyName('alice');
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFOAAlM9lGAlN+cAYwbHXycuipi7e/cLFMRcqE6KE+E9 alice@laptop';
const branch = git.branchSchema.parse('main');
const data = storage.storageNameSchema.parse('hello-data');
const port80: ports.PortMapping = { scheme: 'http', hostPort: 80, containerPort: 5000 };
const port443: ports.PortMapping = { scheme: 'https', hostPort: 443, containerPort: 5000 };
const path = storage.containerPathSchema.parse('/app/storage');

/** The whole argv as root sends it. */
const line = (command: Command) => argvFor({ kind: 'root' }, command).join(' ');

describe('commands', () => {
  const commands: [Command, string][] = [
    [probe.version(), 'dokku version'],
    [plugin.list(), 'dokku plugin:list'],
    [
      plugin.install(acl.pluginUrl, 'acl'),
      'dokku plugin:install https://github.com/dokku-community/dokku-acl.git acl',
    ],
    [apps.create(hello), 'dokku apps:create hello'],
    [apps.exists(hello), 'dokku apps:exists hello'],
    [apps.list(), 'dokku --quiet apps:list'],
    [apps.report(hello), 'dokku apps:report hello --format json'],
    [apps.destroy(hello), 'dokku apps:destroy --force hello'],
    [apps.urls(hello), 'dokku urls hello'],
    [sshKeys.list(), 'dokku ssh-keys:list --format json'],
    [acl.add(hello, alice), 'dokku acl:add hello alice'],
    [acl.list(hello), 'dokku acl:list hello'],
    [resource.limit(hello, planOf(3)), 'dokku resource:limit --memory 512 --cpu 0.5 hello'],
    [resource.limit(hello, planOf(0)), 'dokku resource:limit --memory 64 --cpu 0.16 hello'],
    [resource.report(hello), 'dokku resource:report hello --format json'],
    [domains.add(hello, domainName('a.example.com')), 'dokku domains:add hello a.example.com'],
    [domains.remove(hello, domainName('a.example.com')), 'dokku domains:remove hello a.example.com'],
    [domains.globalReport(), 'dokku domains:report --global --format json'],
    [domains.setGlobal(domainName('apps.example.com')), 'dokku domains:set-global apps.example.com'],
    [domains.report(hello), 'dokku domains:report hello --format json'],
    [letsencrypt.setEmail(hello, 'a@example.com'), 'dokku letsencrypt:set hello email a@example.com'],
    [letsencrypt.enable(hello), 'dokku letsencrypt:enable hello'],
    [letsencrypt.addCronJob(), 'dokku letsencrypt:cron-job --add'],
    [ps.start(hello), 'dokku ps:start hello'],
    [ps.stop(hello), 'dokku ps:stop hello'],
    [ps.restart(hello), 'dokku ps:restart hello'],
    [ps.restartType(hello, processType('web')), 'dokku ps:restart hello web'],
    [ps.listScale(hello), 'dokku ps:scale hello'],
    [
      ps.scale(
        hello,
        new Map([
          [processType('web'), 2],
          [processType('worker'), 0],
        ]),
        { skipDeploy: false },
      ),
      'dokku ps:scale hello web=2 worker=0',
    ],
    [
      ps.scale(hello, new Map([[processType('web'), 2]]), { skipDeploy: true }),
      'dokku ps:scale --skip-deploy hello web=2',
    ],
    [ps.rebuild(hello), 'dokku ps:rebuild hello'],
    [ps.report(hello), 'dokku ps:report hello --format json'],
    [builds.list(hello), 'dokku builds:list hello --format json'],
    [builds.output(hello, 'current'), 'dokku builds:output hello current'],
    [git.report(hello), 'dokku git:report hello --format json'],
    [git.fromArchive(hello), 'dokku git:from-archive --archive-type tar.gz hello --'],
    [
      git.listFiles(hello, branch),
      'runuser -u dokku -- git --git-dir=/home/dokku/hello ls-tree --name-only main',
    ],
    [
      git.readFile(hello, branch, 'README.md'),
      'runuser -u dokku -- git --git-dir=/home/dokku/hello show main:README.md',
    ],
    [logs.read(hello, { lines: 200, follow: true }), 'dokku logs hello --num 200 --tail'],
    [
      logs.read(hello, { lines: 5, follow: false, process: 'worker' }),
      'dokku logs hello --num 5 --ps worker',
    ],
    [ports.list(hello), 'dokku ports:list hello'],
    [ports.detected(hello), 'dokku ports:report hello --ports-map-detected'],
    [ports.set(hello, [port80, port443]), 'dokku ports:set hello http:80:5000 https:443:5000'],
    [ports.clear(hello), 'dokku ports:clear hello'],
    [config.exportAll(hello), 'dokku config:export --format json hello'],
    [config.unset(hello, [envKey('A'), envKey('B')]), 'dokku config:unset --no-restart hello A B'],
    [storage.create(data, 'herokuish'), 'dokku storage:create hello-data --chown herokuish'],
    [storage.mount(hello, data, path), 'dokku storage:mount hello hello-data --container-dir /app/storage'],
    [storage.ensureFolder(data, 'herokuish'), 'dokku storage:ensure-directory --chown herokuish hello-data'],
    [
      storage.mountFolder(hello, storage.folderOf(data), path),
      'dokku storage:mount hello /var/lib/dokku/data/storage/hello-data:/app/storage',
    ],
    [storage.list(hello), 'dokku storage:list hello --format json'],
  ];

  test.each(commands.map(([command, words]) => [words, command] as const))('%s', (words, command) => {
    expect(line(command)).toBe(`env LC_ALL=C ${words}`);
    expect(command.stdin).toBeUndefined();
  });

  test('a key travels on stdin as one whole line, and only root may add a key', () => {
    const command = sshKeys.add(alice, ` ${key}\n\n`);
    expect(line(command)).toBe('env LC_ALL=C dokku ssh-keys:add alice');
    expect(command).toMatchObject({ stdin: `${key}\n`, needsRoot: true });
  });

  test('values of variables travel on stdin and never in the argv', () => {
    const command = config.importAll(hello, new Map([[envKey('TOKEN'), 's3cr3t\n\'"$x']]));
    expect(line(command)).toBe('env LC_ALL=C dokku --quiet config:import --format json --no-restart hello -');
    expect(JSON.parse(command.stdin ?? '')).toEqual({ TOKEN: 's3cr3t\n\'"$x' });
  });

  test('refuses values that Dokku would accept and then fail on', () => {
    expect(() => git.readFile(hello, branch, '../config')).toThrow(RangeError);
    expect(git.branchSchema.safeParse('--upload-pack=x').success).toBe(false);
    expect(storage.containerPathSchema.safeParse('/a/../b').success).toBe(false);
  });
});

describe('answers of the real server', () => {
  test('reads a list of apps, also of a server without apps', () => {
    expect(apps.readList(recorded('apps', 'list quiet'))).toEqual(['hello', 'one', 'overssh', 'quietone']);
    expect(apps.readList(recorded('probe', 'apps list quiet, none'))).toEqual([]);
  });

  test('reads an app before and after its first push, and while it deploys', () => {
    expect(apps.readReport(recorded('apps', 'report json, never deployed'))).toEqual({
      folder: '/home/dokku/hello',
      createdAt: 1795245752000,
      deploySource: '',
      deploySourceMetadata: '',
      locked: false,
    });
    expect(apps.readReport(recorded('apps', 'report json, deployed by push')).deploySource).toBe('git-push');
    expect(apps.readReport(recorded('apps', 'report json while locked')).locked).toBe(true);
    expect(apps.readUrls(recorded('domains', 'urls, never deployed'))).toEqual([
      'http://hello.apps.example.com',
    ]);
  });

  test('reads the keys of a server with their fingerprints, and an empty list', () => {
    const keys = sshKeys.readList(recorded('ssh-keys', 'list json'));
    expect(keys?.[0]).toEqual({ name: 'alice', fingerprint: fingerprintOf(key) });
    expect(sshKeys.readList(recorded('ssh-keys', 'list json, no key at all'))).toEqual([]);
    expect(sshKeys.readList(recorded('ssh-keys', 'list, unknown format'))).toBeNull();
    expect(fingerprintOf('nonsense')).toBeNull();
  });

  test('a key whose line has an old fingerprint of MD5 is known by that of SHA-256', () => {
    const stdout = JSON.stringify([
      { name: 'old', fingerprint: '61:21:1f:88:7f:86:d4:3a:68:9f:18:aa:41:4f:bc:3d', 'public-key': key },
    ]);
    const outcome = { exitCode: 0, stdout, stderr: '' };
    expect(sshKeys.readList(outcome)).toEqual([{ name: 'old', fingerprint: fingerprintOf(key) }]);
  });

  test('users of an app', () => {
    expect(acl.readList(recorded('acl', 'list'))).toEqual(['alice', 'nobody']);
    expect(acl.readList(recorded('acl', 'list, nobody listed'))).toEqual([]);
  });

  test('limits, set and unset', () => {
    expect(resource.readReport(recorded('resource', 'report json, set'))).toEqual({
      memoryMb: 256,
      cpus: 0.5,
    });
    expect(resource.readReport(recorded('resource', 'report json, unset'))).toEqual({
      memoryMb: null,
      cpus: null,
    });
  });

  test('domains of an app, also of an app without any', () => {
    expect(domains.readReport(recorded('domains', 'report after the second add'))).toEqual({
      domains: ['first.apps.example.com', 'www.first.example.com'],
    });
    expect(domains.readReport(recorded('domains', 'report, app born without a global domain'))).toEqual({
      domains: [],
    });
  });

  test('processes: never deployed, running, stopped', () => {
    expect(ps.readReport(recorded('ps', 'report json, never deployed'))).toMatchObject({
      deployed: false,
      stopped: false,
    });
    expect(ps.readReport(recorded('ps', 'report json, running'))).toEqual({
      deployed: true,
      running: 'true',
      stopped: false,
      crashed: false,
      processes: [{ name: 'web.1', state: 'running', containerId: 'f59c6640829' }],
    });
    expect(ps.readReport(recorded('ps', 'report json, stopped'))).toMatchObject({
      stopped: true,
      crashed: false,
      processes: [{ state: 'exited' }, { name: 'worker.1' }],
    });
  });

  test.each<[string, Record<string, string>, 'running' | 'stopped' | 'crashed']>([
    ['its container ended and nobody stopped it', { 'status-web.1': 'exited', running: 'false' }, 'crashed'],
    [
      'Docker starts its container again and again',
      { 'status-web.1': 'restarting', running: 'true' },
      'crashed',
    ],
    [
      'its web process ended and its worker runs',
      { 'status-web.1': 'exited', 'status-worker.1': 'running', running: 'mixed' },
      'crashed',
    ],
    [
      'one web container of two runs',
      { 'status-web.1': 'exited', 'status-web.2': 'running', running: 'mixed' },
      'running',
    ],
    [
      'it has no web process and its worker runs',
      { 'status-worker.1': 'running', 'status-cron.1': 'exited', running: 'mixed' },
      'running',
    ],
    ['somebody stopped it', { 'status-web.1': 'exited', running: 'false', restore: 'false' }, 'stopped'],
    ['it was scaled to no process', { running: 'false', processes: '0' }, 'stopped'],
    ['k3s runs none of its pods', { running: 'false', processes: '1' }, 'crashed'],
    ['k3s runs its pods', { running: 'true', processes: '1' }, 'running'],
  ])('an app of which %s', (_what, changes, expected) => {
    const containers = Object.entries(changes).map(([key, value]) => [
      key,
      key.startsWith('status-') ? `${value} (CID: 0123456789a)` : value,
    ]);
    const stdout = JSON.stringify({
      deployed: 'true',
      restore: 'true',
      processes: '1',
      ...Object.fromEntries(containers),
    });
    const { stopped, crashed } = ps.readReport({ exitCode: 0, stdout, stderr: '' });
    expect(stopped ? 'stopped' : crashed ? 'crashed' : 'running').toBe(expected);
  });

  test('reads how many processes of each type are wanted', () => {
    expect(ps.readScale(recorded('ps', 'scale read'))).toEqual(
      new Map([
        ['web', 1],
        ['worker', 0],
      ]),
    );
    expect(ps.readScale(recorded('ps', 'scale read, never deployed'))).toEqual(new Map([['web', 1]]));
  });

  test('counts an abandoned build as failed, and starts and restarts not as builds', () => {
    expect(builds.readList(recorded('builds', 'list json, one deploy'))).toEqual([
      {
        id: 'mwq31pz4mbibzl',
        kind: 'build',
        source: 'git-hook',
        startedAt: Date.parse('2026-11-21T07:24:44.658Z'),
        finishedAt: Date.parse('2026-11-21T07:25:05.251Z'),
        status: 'succeeded',
      },
    ]);
    expect(builds.readList(recorded('builds', 'list json after a failed build'))[0]).toMatchObject({
      status: 'failed',
      finishedAt: null,
    });
    const kinds = builds.readList(
      recorded('builds', 'list json, an app with cancelled, failed and abandoned records'),
    );
    expect(kinds.map((build) => build.source)).not.toContain('ps:restart');
    expect(kinds.map((build) => build.status)).toContain('canceled');
    // The recording has two starts and a scaling, all with the source `deploy`.
    const sources = builds.readList(recorded('builds', 'list json, all kinds')).map(({ source }) => source);
    expect(builds.readLastStart(recorded('builds', 'list json, all kinds'))).toBe(
      Date.parse('2026-11-21T07:34:18.548Z'),
    );
    expect(builds.readLastStart(recorded('builds', 'list json, one deploy'))).toBeNull();
    expect(new Set(sources)).toEqual(new Set(['config-redeploy', 'ps:rebuild', 'git-hook']));
    expect(builds.readList(recorded('builds', 'list json, never deployed'))).toEqual([]);
  });

  test('the deploy branch', () => {
    expect(git.readReport(recorded('git', 'report json, never deployed'))).toEqual({
      deployBranch: 'master',
      deployBranchSet: false,
      lastUpdatedAt: null,
    });
    expect(git.readReport(recorded('git', 'report json, deployed by push'))).toEqual({
      deployBranch: 'main',
      deployBranchSet: true,
      lastUpdatedAt: 1795245905000,
    });
    expect(git.readReadmeName({ exitCode: 0, stdout: 'app.js\nReadMe\nREADME.md\n', stderr: '' })).toBe(
      'README.md',
    );
  });

  test('log lines lose their colour and keep their time', () => {
    const [first = ''] = recorded('logs', 'logs, deployed').stdout.split('\n');
    expect(logs.readLine(first)).toEqual({
      at: Date.parse('2026-11-21T07:24:55.416Z'),
      nanos: 44_365,
      process: 'web.1',
      text: 'listening on 5000',
    });
    expect(logs.readLine(' !     something')).toEqual({ at: null, process: null, text: ' !     something' });
  });

  test('ports, set and found in the image', () => {
    expect(ports.readList(recorded('ports-proxy-nginx', 'ports list'))).toEqual([port80]);
    const none = recorded('ports-proxy-nginx', 'ports list, never deployed');
    expect(ports.hasNone(none)).toBe(true);
    expect(ports.readList(none)).toEqual([]);
    const missing = { exitCode: 20, stdout: '', stderr: ' !     App nope does not exist\n' };
    expect(ports.hasNone(missing)).toBe(false);
    expect(() => ports.readList(missing)).toThrow(UnreadableOutputError);
    expect(
      ports.readDetected({ exitCode: 0, stdout: 'http:3000:3000 https:443:3000\n', stderr: '' }),
    ).toEqual([
      { scheme: 'http', hostPort: 3000, containerPort: 3000 },
      { scheme: 'https', hostPort: 443, containerPort: 3000 },
    ]);
    expect(ports.readDetected({ exitCode: 0, stdout: 'ftp:21:21 http:99999:1 8081\n', stderr: '' })).toEqual(
      [],
    );
  });

  test('reads variables unchanged, also over several lines', () => {
    expect(config.readExport(recorded('config', 'export json'))).toMatchObject({
      FROM_JSON: 'a\nb',
      ZEROS: '7',
    });
  });

  test('storage, mounted by its name or by its path', () => {
    expect(storage.readList(recorded('storage', 'list json')).slice(0, 2)).toEqual([
      {
        name: 'hello-data',
        hostPath: '/var/lib/dokku/data/storage/hello-data',
        containerPath: '/app/storage',
      },
      {
        name: 'legacy-6600349228',
        hostPath: '/var/lib/dokku/data/storage/plain',
        containerPath: '/app/plain',
      },
    ]);
  });

  test('storage of Dokku 0.35, which knows no names', () => {
    const stdout = `[
  {
    "host_path": "/var/lib/dokku/data/storage/hello-data",
    "container_path": "/app/storage",
    "volume_options": ""
  }
]
`;
    expect(storage.readList({ exitCode: 0, stdout, stderr: '' })).toEqual([
      { name: null, hostPath: storage.folderOf(data), containerPath: path },
    ]);
  });

  test('reads plugins, also beside the panic of an old plugin', () => {
    const plugins = plugin.readList(
      recorded('plugin', 'list over the dokku user, one plugin without plugin.toml'),
    );
    expect(plugins).toContainEqual({ name: 'acl', version: '1.5.1', enabled: true });
    expect(plugin.readList(recorded('probe', 'plugin list, fresh server'))).toHaveLength(46);
  });
});

test('each app has a storage folder of its own, whatever its name', () => {
  expect(storage.nameFor(appName('hello-a1b2c3'))).toBe('hello-a1b2c3');
  const long = 'x'.repeat(60);
  const names = ['my.app', 'my_app', 'my-app-', `${long}1`, `${long}2`].map((name) =>
    storage.nameFor(appName(name)),
  );
  expect(new Set(names).size).toBe(5);
  expect(names[0]).toMatch(/^my-app-[0-9a-f]{10}$/);
  for (const name of names) expect(storage.storageNameSchema.safeParse(name).success).toBe(true);
});
