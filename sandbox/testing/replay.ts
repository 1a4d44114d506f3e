import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyCommand, nameOf } from '@homeport/dokku/testing/every-command';
import { type Row, rowsOf } from '@homeport/dokku/testing/transcript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../src/commands/registry.ts';
import { prepareSandboxHost, type SandboxHost } from '../src/index.ts';
import { accepted, notReplayed } from './accepted.ts';
import { significant } from './significant.ts';
import { type Step, type Story, stories } from './stories.ts';

/** What the sandbox has to answer: the commands of the console, and Docker, which the agent asks. */
const wanted = new Set(['docker', ...Object.values(everyCommand).map(nameOf)]);

/** Tests the stories of one kind. Each kind has a test file, so that workers share them. */
export function testReplay(kind: Story['kind']): void {
  const left = new Map<string, string[]>();
  const hosts: SandboxHost[] = [];
  let base: string;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'replay-'));
  });
  afterAll(async () => {
    console.info(left);
    for (const host of hosts) await host.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  test.each(stories.filter((story) => story.kind === kind))(
    'the sandbox answers the rows of $file like the real server',
    async (story) => {
      const { file, begin = [], after = {}, plugins = [] } = story;
      const host = await prepareSandboxHost({ root: join(base, file), plugins });
      hosts.push(host);
      const take = (steps: readonly Step[]) => {
        for (const step of steps) {
          if (typeof step === 'function') step(host);
          else run(host, { as: 'root', argv: ['dokku', ...step], stdin: null });
        }
      };
      take(begin);
      const differences: string[] = [];
      let compared = 0;
      for (const row of rowsOf(file)) {
        const name = `${file}: ${row.title}`;
        const reason = notReplayed.get(name) ?? leftOut(row);
        if (reason === null) {
          const found = run(host, row);
          const real = { exit: row.exit, stdout: significant(row.stdout), stderr: significant(row.stderr) };
          compared += 1;
          if ((JSON.stringify(found) === JSON.stringify(real)) === accepted.has(name))
            differences.push(
              `${name}\n  real    ${JSON.stringify(real)}\n  sandbox ${JSON.stringify(found)}`,
            );
        } else left.set(reason, [...(left.get(reason) ?? []), name]);
        take(after[row.title] ?? []);
      }
      expect(differences.join('\n')).toBe('');
      expect(compared).toBeGreaterThan(0);
    },
    240_000,
  );
}

/** Why a row cannot be replayed. Null for a row that is replayed. The test prints these reasons at the end. */
function leftOut(row: Row): string | null {
  const name = commandOf(row);
  if (row.exit < 0 || row.note?.includes('ended by')) return 'the recorder ended it';
  if (row.tty === true || row.pty === true || row.stdout.includes('\r\n'))
    return 'over a terminal, or a visit by HTTP';
  if (row.as === 'client') return 'git of a developer: sandbox.test.ts pushes over a real sshd';
  if (name === null) return 'a pipe or another program';
  if (row.argv.some((word) => word.startsWith('/srv/') || word.startsWith('file:///srv/')))
    return 'a file of the recorder';
  const unknown = row.stderr.includes('is not a dokku command');
  if (!wanted.has(name) && !commands.has(name) && !unknown && name !== '')
    return 'a command that the console does not use';
  return null;
}

/** The Dokku command, or the program that the sandbox replaces. Null for any other. */
function commandOf(row: Row): string | null {
  const [program = '', ...words] = row.as === 'ssh' ? ['dokku', ...row.argv.join(' ').split(' ')] : row.argv;
  if (row.as !== 'root' && row.as !== 'ssh') return null;
  if (program === 'dokku') return words.find((word) => !word.startsWith('--')) ?? '';
  return ['docker', 'ufw', 'git'].includes(program) ? program : null;
}

function run(host: SandboxHost, { as, argv, stdin, key }: Pick<Row, 'as' | 'argv' | 'stdin' | 'key'>) {
  const [file = '', ...words] = as === 'ssh' ? [join(host.root, 'bin/dokku-key'), key ?? 'alice'] : argv;
  const done = spawnSync(file, words, {
    encoding: 'utf8',
    env: { ...process.env, ...host.env, SSH_ORIGINAL_COMMAND: as === 'ssh' ? argv.join(' ') : '' },
    timeout: 60_000,
    ...(stdin === null ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input: stdin }),
  });
  return { exit: done.status, stdout: significant(done.stdout), stderr: significant(done.stderr) };
}
