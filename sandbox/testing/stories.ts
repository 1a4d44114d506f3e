import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { quoteArgv } from '@homeport/contract/quoting';
import { rowsOf } from '@homeport/dokku/testing/transcript';
import type { Fault, PluginName, SandboxHost } from '../src/index.ts';
import { pathsOf } from '../src/machine/paths.ts';
import type { App, Plugin, Settings } from '../src/machine/state.ts';
import { type Files, pushByGit, startPushByGit } from './push.ts';

type Words = readonly string[];
/** A Dokku command, or another act on the host. */
export type Step = Words | ((host: SandboxHost) => void);

/** The rows of a file as one story, with its preconditions. */
export type Story = {
  file: string;
  /** `deploys` for stories with running apps, which take longest. `services` for databases. `settings` for all others. */
  kind: 'deploys' | 'services' | 'settings';
  begin?: readonly Step[];
  /** Steps after a row, in place of rows of other files or rows that cannot be replayed. */
  after?: Readonly<Record<string, readonly Step[]>>;
  plugins?: readonly PluginName[];
};

const domain: Words = ['domains:set-global', 'apps.example.com'];
const create = (...names: readonly string[]): Words[] => names.map((name) => ['apps:create', name]);

/** The recorded app. It prints its port, ends when CRASH is set, and has a worker that ticks. */
const hello = {
  Procfile: 'web: exec node server.js\nworker: exec sh worker.sh\n',
  'server.js': `if (process.env.CRASH) { console.log('boom: CRASH is set'); process.exit(1); }
require('http').createServer((_, answer) => answer.end('hello')).listen(process.env.PORT, () => console.log('listening on ' + process.env.PORT));
`,
  'worker.sh': 'echo "worker tick 0"\nexec sleep 3600\n',
  'README.md': '# hello\n\nA small app that says hello.\nsecond version\n',
};
const { 'worker.sh': _worker, ...web } = { ...hello, Procfile: 'web: exec node server.js\n' };
const withTasks = {
  ...web,
  'app.json': JSON.stringify({
    cron: [
      { command: 'date', schedule: '0 3 * * *' },
      { command: "sh -c 'echo nightly'", schedule: '@daily', concurrency_policy: 'forbid' },
    ],
  }),
};

/** The story says whether Dokku takes the push. */
const push =
  (app: string, files: Files = hello) =>
  (host: SandboxHost): void =>
    void pushByGit(host, app, files);

/** A push that builds until `goOn`, for the rows of a deploy in progress. */
function pushSlowly(app: string): (host: SandboxHost) => void {
  return (host) => {
    const gate = join(host.root, 'gate');
    const wait = `while [ ! -e ${quoteArgv([gate])} ]; do sleep 0.1; done\n`;
    startPushByGit(host, app, { ...web, 'bin/pre_compile': wait });
    waitFor(() => existsSync(pathsOf(host.root).lock(app)));
  };
}

function goOn(app: string): (host: SandboxHost) => void {
  return (host) => {
    writeFileSync(join(host.root, 'gate'), '');
    waitFor(() => !existsSync(pathsOf(host.root).lock(app)));
  };
}

function waitFor(condition: () => boolean): void {
  const end = Date.now() + 120_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('The expected state did not come within 2 minutes.');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** Changes the state of an app in place of a row whose command the sandbox does not have. */
function edit(name: string, change: (app: App) => void): (host: SandboxHost) => void {
  return (host) => {
    const path = pathsOf(host.root).app(name);
    const app = JSON.parse(readFileSync(path, 'utf8')) as App;
    change(app);
    writeFileSync(path, JSON.stringify(app));
  };
}

function settings(change: (settings: Settings) => void): (host: SandboxHost) => void {
  return (host) => {
    const path = pathsOf(host.root).settings;
    const now = JSON.parse(readFileSync(path, 'utf8')) as Settings;
    change(now);
    writeFileSync(path, JSON.stringify(now));
  };
}

const fault = (name: Fault, on: boolean) => (host: SandboxHost) => host.setFault(name, on);
const install = (...plugins: readonly Plugin[]) => settings((now) => void now.plugins.push(...plugins));
const letsencrypt = { name: 'letsencrypt', version: '0.25.1', description: '', url: '' };
const redis = { name: 'redis', version: '1.43.0', description: 'dokku redis service plugin', url: '' };
const certificate = (name: string, expiresAtSeconds: number | null) =>
  edit(name, (app) => Object.assign(app.certificate, { expiresAtSeconds }));

/** The plugins that the recorder's server had, by its own list. */
function recordedPlugins(): Plugin[] {
  const row = rowsOf('plugin').find(({ title }) => title === 'list json');
  const rows = JSON.parse(row?.stdout ?? '[]') as (Plugin & { core: boolean; source_url: string })[];
  return rows
    .filter(({ core }) => !core)
    .map(({ name, version, description, source_url }) => ({ name, version, description, url: source_url }));
}

const nothingToRun = { 'nothing.txt': 'nothing to run\n' };
const boom = { Procfile: 'web: echo boom; exit 1\n' };

/** The rows of a service plugin, with the app that their links restart. */
const services = (file: DatabaseTypeName, deployed: readonly Step[], after: Story['after'] = {}): Story => ({
  file,
  kind: 'services',
  begin: [
    domain,
    ...create('overssh', 'one', 'hello', 'slow'),
    edit('overssh', (app) => Object.assign(app, { config: {} })),
    ...deployed,
  ],
  after,
  plugins: [file],
});

export const stories: readonly Story[] = [
  // In place of `clone`, which the recorder ran before the rows about deletion.
  services('postgres', [push('hello'), ['ps:scale', 'hello', 'worker=1']], {
    'start, missing': [['postgres:create', 'copy']],
  }),
  services('mysql', [push('slow', web)], { 'start, missing': [['mysql:create', 'copy']] }),
  // In place of `import`, which removed the container.
  services('redis', [push('hello'), ['ps:scale', 'hello', 'worker=1']], {
    'destroy, flag last': [['redis:stop', 'second_db']],
  }),
  { file: 'probe', kind: 'settings' },
  { file: 'ssh-keys', kind: 'settings' },
  {
    file: 'resource',
    kind: 'deploys',
    begin: [domain, ...create('hello', 'overssh', 'slow')],
    after: {
      'report json after clear': [
        ['resource:limit-clear', 'hello'],
        push('hello'),
        ['ps:scale', 'hello', 'worker=1'],
      ],
      'reserve-clear takes the limits too: reserve-clear': [
        edit('slow', (app) => Object.assign(app, { limits: {} })),
      ],
    },
  },
  { file: 'events', kind: 'settings' },
  {
    file: 'domains',
    kind: 'settings',
    begin: create('first'),
    after: {
      'set-global': create('hello', 'one', 'overssh'),
      clear: [edit('hello', (app) => Object.assign(app, { vhosts: [] }))],
      reset: [edit('hello', (app) => Object.assign(app, { vhosts: ['hello.apps.example.com'] }))],
      // The last rows were recorded later.
      'remove the domain shared with another app': [push('hello'), install(letsencrypt)],
    },
  },
  {
    file: 'apps',
    kind: 'deploys',
    after: {
      'destroy --force, never deployed': [domain],
      'clone, missing': [['apps:destroy', '--force', 'quietone'], ...create('cloned', 'renamed')],
      'set, unknown property': [push('hello')],
      'rename, deployed': [...create('hello-new'), push('hello-new', web)],
      'report json, deployed by sync': create('hello-copy2'),
      'rename --skip-deploy, deployed': [...create('tock'), push('tock', web), ['ps:stop', 'tock']],
    },
  },
  {
    file: 'config',
    kind: 'settings',
    begin: [domain, ...create('hello', 'overssh', 'one')],
    after: {
      'import, envfile': [['config:set', '--no-restart', 'hello', 'ENVF=x y']],
      clear: [push('hello'), ['ps:scale', 'hello', 'worker=1'], ['ps:stop', 'hello']],
      'set with restart, stopped app': [['ps:start', 'hello']],
    },
  },
  {
    file: 'ps',
    kind: 'deploys',
    begin: [domain, ...create('hello', 'overssh', 'one')],
    after: {
      'inspect, never deployed': [push('hello')],
      'scale, negative': [['ps:scale', 'hello', 'web=1']],
      rebuild: [['config:set', '--no-restart', 'hello', 'CRASH=1']],
      'restart, the new containers crash': [['config:unset', '--no-restart', 'hello', 'CRASH']],
      'report json after the crash': [
        ...create('badbuild', 'crasher'),
        push('badbuild', nothingToRun),
        push('crasher', boom),
      ],
    },
  },
  {
    file: 'builds',
    kind: 'deploys',
    begin: [domain, ...create('hello', 'badbuild', 'crasher', 'tick')],
    after: {
      'cancel, no deploy': [push('hello', web), push('badbuild', nothingToRun), push('crasher', boom)],
    },
  },
  {
    file: 'locks',
    kind: 'deploys',
    begin: [domain, ...create('tick'), pushSlowly('tick')],
    after: {
      'during a build, after a refused deploy: builds list json': [goOn('tick')],
      'apps lock': [push('tick', web)],
      'after the cancel: ps report running': [['apps:lock', 'tick']],
    },
  },
  {
    file: 'logs',
    kind: 'deploys',
    begin: [domain, ...create('hello', 'badbuild', 'crasher', 'slow')],
    after: {
      'logs:failed, never deployed': [push('hello')],
      'logs, deployed': [['ps:scale', 'hello', 'worker=1']],
      'nginx access logs': [['ps:stop', 'hello']],
      'logs:failed': [push('badbuild', nothingToRun)],
      'vector-logs, not started': [push('slow', web)],
    },
  },
  {
    file: 'plugin',
    kind: 'settings',
    after: {
      'installed, no': [install(redis)],
      'list over the dokku user, one plugin without plugin.toml': [
        settings((now) => Object.assign(now, { plugins: recordedPlugins() })),
      ],
    },
  },
  {
    file: 'acl',
    kind: 'settings',
    begin: [domain, ...create('hello'), push('hello', web)],
    after: {
      'command rules set: apps:destroy by a listed user': [...create('hello'), ['acl:add', 'hello', 'bob']],
    },
    plugins: ['acl'],
  },
  {
    file: 'letsencrypt',
    kind: 'settings',
    begin: [domain, ...create('hello'), push('hello', web)],
    after: {
      'set, unknown property': [fault('certificate', true)],
      "enable, the ACME server's name does not resolve": [fault('certificate', false)],
      'domains add, one without DNS': [fault('certificate', true)],
      'enable, a name the CA refuses': [fault('certificate', false)],
      'report json of that app': [edit('le-new', (app) => Object.assign(app, { vhosts: [] }))],
      'enable on an app without domains': [certificate('hello', null)],
    },
    plugins: ['letsencrypt'],
  },
  {
    file: 'storage',
    kind: 'settings',
    begin: create('hello', 'overssh'),
    after: { 'unmount, old form again': [['storage:unmount', 'overssh', 'plain:/app/x']] },
  },
  {
    file: 'ports-proxy-nginx',
    kind: 'settings',
    begin: [domain, ...create('hello', 'one')],
    after: {
      'proxy report json, never deployed': [push('hello', web)],
      'proxy report': [push('one', web)],
    },
  },
  { file: 'checks', kind: 'settings', begin: create('hello', 'one') },
  {
    file: 'cron',
    kind: 'settings',
    begin: create('hello'),
    after: { 'list json, never deployed': [push('hello', withTasks)] },
  },
  {
    file: 'git',
    kind: 'settings',
    begin: create('hello', 'one', 'overssh', 'fresh'),
    after: {
      'report, never deployed': [push('hello', web)],
      'report json, deployed by push': [edit('one', (app) => Object.assign(app, { deployBranch: 'master' }))],
      'set, unknown property': [edit('overssh', (app) => Object.assign(app, { deployBranch: 'main' }))],
    },
  },
  {
    file: 'stats',
    kind: 'deploys',
    begin: [domain, ...create('hello', 'one'), push('hello'), ['ps:scale', 'hello', 'worker=1']],
  },
  {
    file: 'durations',
    kind: 'deploys',
    begin: [
      domain,
      ['letsencrypt:set', '--global', 'email', 'ops@example.com'],
      ...create('hello', 'slow'),
      push('hello'),
      push('slow', web),
      ['ps:scale', 'hello', 'worker=1'],
    ],
    // In place of `letsencrypt:disable`.
    after: { 'letsencrypt enable': [certificate('slow', null)] },
    plugins: ['letsencrypt'],
  },
  {
    file: 'certs',
    kind: 'settings',
    begin: [domain, ...create('hello'), push('hello', web), certificate('hello', 1_803_023_208)],
    plugins: ['letsencrypt'],
  },
];
