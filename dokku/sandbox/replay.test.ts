import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripCsi } from '../src/output.ts';
import { type Row, rowsOf } from '../src/transcript.test-support.ts';
import { commands } from './commands/registry.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

/** The rows of a file that tell one story, and what has to be there for it. */
type Story = {
  file: string;
  /** The last row; default all. */
  upTo?: string;
  /** Only these rows, where the others need containers, other programs or another server's state. */
  only?: readonly string[];
  begin?: readonly Words[];
  /** What rows that are not replayed, or other files' rows, did after a row. */
  after?: Readonly<Record<string, readonly Words[]>>;
  plugins?: readonly ('acl' | 'letsencrypt')[];
};
type Words = readonly string[];

const domain: Words = ['domains:set-global', 'apps.example.com'];
const create = (...names: readonly string[]): Words[] => names.map((name) => ['apps:create', name]);

const stories: readonly Story[] = [
  { file: 'probe' },
  { file: 'ssh-keys' },
  { file: 'resource', upTo: 'report json after clear', begin: [domain, ...create('hello', 'overssh')] },
  { file: 'events', upTo: 'on again' },
  {
    file: 'domains',
    upTo: 'add, missing app',
    begin: create('first'),
    after: { 'set-global': create('hello', 'one', 'overssh') },
  },
  {
    file: 'apps',
    upTo: 'set, unknown property',
    after: {
      'destroy --force, never deployed': [domain],
      'create, quiet': create('overssh'),
      'clone, missing': [['apps:destroy', '--force', 'quietone'], ...create('cloned')],
    },
  },
  { file: 'config', upTo: 'import, number value', begin: [domain, ...create('hello')] },
  {
    file: 'ps',
    only: ['start, never deployed', 'stop, never deployed', 'restart, never deployed', 'stop, no app'],
    begin: [domain, ...create('overssh')],
  },
  { file: 'builds', upTo: 'output current, no deploy', begin: create('hello') },
  { file: 'locks', only: ['after the build: apps locked', 'apps lock'], begin: create('tick') },
  { file: 'logs', upTo: 'logs, missing app', begin: create('hello') },
  { file: 'plugin', only: ['installed, no'] },
  { file: 'acl', begin: [domain, ...create('hello')], plugins: ['acl'] },
  {
    file: 'letsencrypt',
    upTo: 'set, unknown property',
    begin: [domain, ...create('hello')],
    plugins: ['letsencrypt'],
  },
  { file: 'storage', begin: create('hello', 'overssh') },
  {
    file: 'ports-proxy-nginx',
    only: ['ports list, never deployed', 'ports list json'],
    begin: [domain, ...create('hello')],
  },
  { file: 'checks', only: ['report json, never deployed', 'report, one app'], begin: create('hello') },
  {
    file: 'git',
    only: [
      'report json, never deployed',
      'report, never deployed',
      'set deploy-branch',
      'set, unknown property',
    ],
    begin: create('hello'),
  },
  { file: 'stats', only: ['docker stats of a missing one', 'ufw status, inactive'] },
];

const oldForm = 'mounts by host path, as before 0.38, are not stood in for';

/** Rows that the sandbox answers otherwise, each with its reason. */
const accepted = new Map([
  ['probe: no command', 'help is not stood in for'],
  ['ssh-keys: list', 'one key came from a file of the recorder'],
  ['ssh-keys: list json', 'one key came from a file of the recorder'],
  ['resource: report, unset single key', 'reservations are not stood in for'],
  ['domains: report json, all apps', 'the app called first was gone by then on the real server'],
  ['apps: create, no global domain on the server', 'the site is written once and not twice'],
  ['acl: command rules set: apps:destroy from the root shell', "the plugin's rules are not stood in for"],
  ['letsencrypt: report json, nothing set', 'the keys come in another order'],
  ['letsencrypt: report, nothing set', 'the lines come in another order and width'],
  ['storage: mount, old form with colon', oldForm],
  ['storage: mount, old form again', oldForm],
  ['storage: mount, relative host path', oldForm],
  ['storage: list', oldForm],
  ['storage: list json', oldForm],
  ['storage: unmount, old form', oldForm],
  ['storage: unmount, old form again', oldForm],
]);

let base: string;
const hosts: SandboxHost[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterAll(async () => {
  console.info(skipped);
  for (const host of hosts) await host.dispose();
  rmSync(base, { recursive: true, force: true });
}, 30_000);

/** Commands that the sandbox does not have, with their number of rows: printed at the end. */
const skipped = new Map<string, number>();

test.each(stories)(
  'the sandbox answers the rows of $file as the real server did',
  async (story) => {
    const { file, begin = [], after = {}, plugins = [] } = story;
    const host = await prepareSandboxHost({ root: join(base, file), plugins });
    hosts.push(host);
    for (const words of begin) run(host, ['dokku', ...words], null);
    const differences: string[] = [];
    let compared = 0;
    for (const row of rowsIn(story)) {
      const name = `${file}: ${row.title}`;
      if (isReplayed(row)) {
        const found = run(host, row.argv, row.stdin);
        const wanted = { exit: row.exit, stdout: significant(row.stdout), stderr: significant(row.stderr) };
        const same = JSON.stringify(found) === JSON.stringify(wanted);
        compared += 1;
        if (same === accepted.has(name)) {
          differences.push(
            `${name}\n  real    ${JSON.stringify(wanted)}\n  sandbox ${JSON.stringify(found)}`,
          );
        }
      }
      for (const words of after[row.title] ?? []) run(host, ['dokku', ...words], null);
    }
    expect(differences.join('\n')).toBe('');
    expect(compared).toBeGreaterThan(0);
  },
  240_000,
);

function rowsIn({ file, upTo, only }: Story): Row[] {
  const rows = rowsOf(file);
  if (only) return rows.filter((row) => only.includes(row.title));
  return upTo === undefined ? rows : rows.slice(0, rows.findIndex((row) => row.title === upTo) + 1);
}

/** Rows run as root over plain pipes, whose end was the command's own, of commands that the sandbox has. */
function isReplayed(row: Row): boolean {
  const [program = '', ...words] = row.argv;
  const command = program === 'dokku' ? (words.find((word) => !word.startsWith('--')) ?? '') : program;
  const unknown = row.stderr.includes('is not a dokku command');
  if (program === 'dokku' && command !== '' && !commands.has(command) && !unknown) {
    skipped.set(command, (skipped.get(command) ?? 0) + 1);
    return false;
  }
  return (
    row.as === 'root' &&
    ['dokku', 'docker', 'ufw', 'git'].includes(program) &&
    !row.argv.some((word) => word.startsWith('/srv/')) &&
    !row.stdout.includes('\r') &&
    row.exit >= 0
  );
}

function run(host: SandboxHost, argv: readonly string[], stdin: string | null) {
  const [file = '', ...words] = argv;
  const done = spawnSync(file, words, {
    encoding: 'utf8',
    env: { ...process.env, ...host.env },
    timeout: 30_000,
    ...(stdin === null ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input: stdin }),
  });
  return { exit: done.status, stdout: significant(done.stdout), stderr: significant(done.stderr) };
}

/** Without colours, ids, times and random ports; JSON without the blanks that differ between plugins. */
function significant(text: string): string {
  return stripCsi(text)
    .replaceAll(/\b17952\d{5}\b|\b1[678]\d{8}\b/g, '<time>')
    .replaceAll(/Random port \d+/g, 'Random port <port>')
    .replaceAll(/http:\d+:5000/g, 'http:<port>:5000')
    .replaceAll(/ ?([{}[\],:]) ?"/g, '$1"')
    .replaceAll(/" ?([}\]])/g, '"$1');
}
