import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripCsi } from '../src/output.ts';
import { type Row, rowsOf } from '../src/transcript.test-support.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

/** Files whose rows tell one story on a server that starts empty, and the state that the story begins with. */
const stories: readonly Story[] = [
  { file: 'probe' },
  { file: 'ssh-keys' },
  { file: 'resource', upTo: 'report json after clear', begin: ['set-global', 'hello', 'overssh'] },
  { file: 'events', upTo: 'on again' },
  {
    file: 'domains',
    upTo: 'add, missing app',
    begin: ['first'],
    after: { title: 'set-global', create: ['hello', 'one', 'overssh'] },
  },
];

type Story = {
  file: string;
  upTo?: string;
  /** Apps that the story begins with; `set-global` sets the server's domain first. */
  begin?: readonly string[];
  /** Apps that another file's rows made at this point. */
  after?: { title: string; create: readonly string[] };
};

/** Rows that the sandbox answers otherwise, each with its reason. */
const accepted = new Map([
  ['probe: no command', 'help is not stood in for'],
  ['ssh-keys: list', 'one key came from a file of the recorder'],
  ['ssh-keys: list json', 'one key came from a file of the recorder'],
  ['resource: report, unset single key', 'reservations are not stood in for'],
  ['domains: report json, all apps', 'the app called first was gone by then on the real server'],
]);

/** Commands that no console uses so far. */
const left =
  /help|^(resource:reserve(-clear)?|domains:(set|clear|reset|enable|disable|add-global|remove-global)|events:list)$/;

let base: string;
const hosts: SandboxHost[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterAll(async () => {
  for (const host of hosts) await host.dispose();
  rmSync(base, { recursive: true, force: true });
}, 30_000);

test.each(stories)(
  'the sandbox answers the rows of $file as the real server did',
  async ({ file, upTo, begin = [], after }) => {
    const root = join(base, file);
    const host = await prepareSandboxHost({ root, plugins: [] });
    hosts.push(host);
    const create = (name: string) => run(host, ['dokku', 'apps:create', name], null);
    for (const name of begin) {
      if (name === 'set-global') run(host, ['dokku', 'domains:set-global', 'apps.example.com'], null);
      else create(name);
    }
    const differences: string[] = [];
    let compared = 0;
    for (const row of storyOf(file, upTo)) {
      const found = run(host, row.argv, row.stdin);
      const wanted = { exit: row.exit, stdout: significant(row.stdout), stderr: significant(row.stderr) };
      const name = `${file}: ${row.title}`;
      compared += 1;
      if (row.title === after?.title) for (const app of after.create) create(app);
      if (JSON.stringify(found) !== JSON.stringify(wanted) && !accepted.has(name)) {
        differences.push(`${name}\n  real    ${JSON.stringify(wanted)}\n  sandbox ${JSON.stringify(found)}`);
      }
    }
    expect(differences.join('\n')).toBe('');
    expect(compared).toBeGreaterThan(2);
  },
  120_000,
);

/** Only rows run as root over plain pipes, whose end was the command's own. */
function storyOf(file: string, upTo: string | undefined): Row[] {
  const rows = rowsOf(file);
  const end = upTo === undefined ? rows.length : rows.findIndex((row) => row.title === upTo) + 1;
  return rows.slice(0, end).filter((row) => {
    const [program = '', ...words] = row.argv;
    const command = words.find((word) => !word.startsWith('--')) ?? '';
    return (
      row.as === 'root' &&
      program === 'dokku' &&
      !left.test(command) &&
      !row.argv.some((word) => word.startsWith('/srv/')) &&
      !row.stdout.includes('\r') &&
      row.exit >= 0
    );
  });
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
