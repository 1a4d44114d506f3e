import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { commands } from './commands/registry.ts';
import { prepareSandboxHost, type SandboxHost, type SandboxOptions } from './index.ts';
import { instantChanges, instantReads } from './program/front-commands.ts';
import { allServiceKinds } from './services/kinds.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startHost(options: Omit<SandboxOptions, 'root'> = {}, name = 'host'): Promise<SandboxHost> {
  const base = mkdtempSync(join(tmpdir(), 'reads-'));
  const host = await prepareSandboxHost({ root: join(base, name), ...options });
  ends.push(async () => {
    await host.dispose();
    rmSync(base, { recursive: true, force: true });
  });
  return host;
}

function run(
  host: SandboxHost,
  file: string,
  words: readonly string[],
  env: Record<string, string> = {},
  input = '',
) {
  const done = spawnSync(file, words, {
    encoding: 'utf8',
    env: { ...process.env, ...host.env, ...env },
    input,
  });
  return { exit: done.status, signal: done.signal, stdout: done.stdout, stderr: done.stderr };
}

const program = ({ root }: SandboxHost) => join(root, 'program.cjs');

/** The verbs are the same for all six types of databases. */
const isOfOtherType = (name: string) =>
  allServiceKinds.some(({ type }) => type !== 'postgres' && name.startsWith(`${type}:`));

/** Puts another program in the place of the host's, so that an answer shows which process gave it. */
function replaceProgram(host: SandboxHost): void {
  writeFileSync(
    program(host),
    "process.stdout.write(process.argv.slice(2).join(' ')); process.exitCode = 7;\n",
  );
}

test('the front answers every read in the bytes and with the exit code of the program', async () => {
  const host = await startHost();
  run(host, 'dokku', ['apps:create', 'hello']);
  run(host, 'dokku', ['config:set', '--no-restart', 'hello', 'TEXT=ünï\nlines', "QUOTE='"]);
  run(host, 'dokku', ['postgres:create', 'main']);
  const linesOf = (name: string) =>
    name.startsWith('postgres:') ? [[name, 'main']] : [[name], [name, 'hello'], ['--quiet', name, 'missing']];
  const lines = instantReads.filter((name) => !isOfOtherType(name)).flatMap((name) => linesOf(name));
  const told = (file: string, ...before: string[]) =>
    lines.map((line) => ({ line, ...run(host, file, [...before, ...line], { DOKKU_SANDBOX_AS: 'dokku' }) }));
  expect(told('dokku')).toEqual(told(process.execPath, program(host), 'dokku'));
}, 120_000);

/** From here on, a command that starts the program fails. */
function withoutProgram(host: SandboxHost): void {
  for (const name of ['dokku', 'docker']) {
    const text = readFileSync(join(host.root, 'bin', name), 'utf8');
    writeFileSync(join(host.root, 'bin', name), text.replaceAll(process.execPath, '/bin/false'));
  }
}

test('a read and a change that ends at once start no program, and a deploy starts one', async () => {
  const host = await startHost({ counted: true });
  withoutProgram(host);
  expect(run(host, 'dokku', ['--quiet', 'apps:list'])).toMatchObject({ exit: 0 });
  expect(run(host, 'dokku', ['apps:create', 'hello'])).toMatchObject({ exit: 0 });
  expect(run(host, 'dokku', ['ps:rebuild', 'hello'])).toMatchObject({ exit: 1, stdout: '' });
  expect(host.starts().map(({ command }) => command)).toEqual(['apps:list', 'apps:create']);
});

/** The stdin of every change. */
const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20'), Buffer.alloc(32, 7)]);
const key = `ssh-ed25519 ${blob.toString('base64')} ada@example\n`;

/** A change of each kind, in an order in which each has something to change; some of them fail. */
const changes = [
  ...[
    ['domains:set-global', 'apps.example.com'],
    ['apps:create', 'hello'],
    ['apps:create', 'hello'],
  ],
  ...[
    ['domains:add', 'hello', 'a.example.com', 'b.example.com'],
    ['domains:remove', 'hello', 'a.example.com'],
  ],
  ...[
    ['checks:disable', 'hello', 'web,webhooks'],
    ['checks:skip', 'hello', 'web'],
    ['checks:enable', 'hello', 'web'],
    ['checks:disable', 'hello'],
    ['checks:enable', 'missing'],
  ],
  ...[
    ['checks:set', 'hello', 'wait-to-retire', '5'],
    ['checks:set', 'hello', 'colour', 'red'],
  ],
  ...[
    ['git:set', 'hello', 'deploy-branch', 'trunk'],
    ['git:set', 'hello', 'colour', 'red'],
  ],
  ['network:set', 'hello', 'bind-all-interfaces', 'true'],
  ...[
    ['plugin:disable', 'tell'],
    ['plugin:enable', 'tell'],
    ['plugin:enable', 'none'],
  ],
  ...[
    ['ports:set', 'hello', 'http:80:3000', 'https:443:3000'],
    ['ports:clear', 'hello'],
  ],
  ...[
    ['ps:set', 'hello', 'restart-policy', 'always'],
    ['ps:set', 'missing', 'restart-policy', 'always'],
  ],
  ...[
    ['resource:limit', '--memory', '64', 'hello'],
    ['resource:limit-clear', 'hello'],
  ],
  ...[
    ['ssh-keys:add', 'ada'],
    ['ssh-keys:add', 'ada'],
    ['ssh-keys:remove', 'ada'],
    ['ssh-keys:remove', 'ada'],
  ],
  ...[
    ['postgres:connect', 'main'],
    ['postgres:connect', 'none'],
    ['postgres:export', 'main'],
  ],
  ...[
    ['storage:create', 'books', '--chown', 'false'],
    ['storage:create', '-'],
  ],
  ...[
    ['storage:mount', 'hello', 'books', '--container-dir', '/books'],
    ['storage:mount', 'hello', 'none'],
  ],
  ['storage:unmount', 'hello', 'books', '--container-dir', '/books'],
  ...[
    ['nginx:set', 'hello', 'client-max-body-size', '50m'],
    ['nginx:set', 'hello', 'colour', 'red'],
  ],
] as const;

/** A plugin with a command that tells what it was given, and ends with its last word as the exit code. */
function putPlugin(host: SandboxHost): void {
  const folder = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  mkdirSync(join(folder, 'subcommands'), { recursive: true });
  writeFileSync(join(folder, 'plugin.toml'), 'version = "1.0.0"\n');
  writeFileSync(
    join(folder, 'subcommands/tell'),
    `printf '%s|' "$@" "\${SSH_USER:?}" "\${SSH_NAME:?}" "\${PATH%%:*}" "\${PERL_BADLANG-}"
ls "$DOKKU_ROOT" | tr '\\n' ' '
[[ $(readlink "$DOKKU_LIB_ROOT/data/homeport") == */lib/data/homeport ]] && cat
dokku --quiet apps:list
echo wrong >&2
exit "\${!#}"
`,
  );
  run(host, 'dokku', ['plugin:enable', 'homeport']);
}

test('the front makes every change as the program does, in the same bytes', async () => {
  const fromFront = await startHost();
  const fromProgram = await startHost();
  const told = (host: SandboxHost, file: string, ...before: string[]) => {
    const folder = join(host.root, 'machine/var/lib/dokku/plugins');
    mkdirSync(join(folder, 'available/tell'), { recursive: true });
    mkdirSync(join(folder, 'enabled'), { recursive: true });
    run(host, 'dokku', ['postgres:create', 'main']);
    return changes.map((line) => ({ line, ...run(host, file, [...before, ...line], {}, key) }));
  };
  const isTried = (name: string) => changes.some(([change]) => change === name);
  expect(instantChanges.filter((name) => !isOfOtherType(name) && !isTried(name))).toEqual([]);
  const answers = told(fromFront, 'dokku');
  expect(answers).toEqual(told(fromProgram, process.execPath, program(fromProgram), 'dokku'));
  expect(answers.filter(({ exit }) => exit === 0).length).toBeGreaterThan(changes.length / 2);
  const state = ({ root }: SandboxHost) => ({
    ...JSON.parse(readFileSync(join(root, 'apps/hello.json'), 'utf8')),
    createdAtSeconds: 0,
  });
  expect(state(fromFront)).toEqual(state(fromProgram));
}, 60_000);

test('a command of Homeport’s plugin runs on the streams of its caller, as from the program', async () => {
  const host = await startHost();
  run(host, 'dokku', ['apps:create', 'hello']);
  putPlugin(host);
  const line = ['homeport:tell', '', 'two words', 'line\nend', '7'];
  const input = 'a\0b\n'.repeat(100_000);
  const as = { DOKKU_SANDBOX_AS: 'dokku' };
  const whole = run(host, process.execPath, [program(host), 'dokku', ...line], as, input);
  withoutProgram(host);
  const answer = run(host, 'dokku', line, as, input);
  expect(answer).toEqual(whole);
  expect(answer).toMatchObject({ exit: 7, stderr: 'wrong\n' });
  expect(answer.stdout).toBe(
    `homeport:tell||two words|line\nend|7|dokku|default|${host.root}/bin||VHOST hello ${input}hello\n`,
  );
  expect(readdirSync(host.root).filter((name) => name.startsWith('dokku-files-'))).toEqual([]);
  expect(run(host, 'dokku', ['homeport:none'])).toMatchObject({ exit: 1 });
});

test('a command that the front began is not begun again where the front ends', async () => {
  const host = await startHost();
  putPlugin(host);
  const own = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport/subcommands/end');
  const { pid } = JSON.parse(readFileSync(join(host.root, 'front.json'), 'utf8')) as { pid: number };
  writeFileSync(own, `echo begun >>"$DOKKU_SANDBOX_ROOT/seen"; kill -9 ${pid}\n`);
  expect(run(host, 'dokku', ['homeport:end'])).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('front ended'),
  });
  expect(readFileSync(join(host.root, 'seen'), 'utf8')).toBe('begun\n');
});

test('docker exec runs its program on the streams of its caller', async () => {
  const host = await startHost();
  run(host, 'dokku', ['postgres:create', 'main']);
  withoutProgram(host);
  const exec = (...words: string[]) =>
    run(host, 'docker', ['exec', 'dokku.postgres.main', ...words], {}, 'in');
  expect(exec('sh', '-c', 'cat; echo out; exit 3')).toMatchObject({ exit: 3, stdout: 'inout\n' });
  expect(exec('no-such-program')).toMatchObject({ exit: 127 });
  expect(run(host, 'docker', ['exec', 'none', 'true'])).toMatchObject({ exit: 1 });
});

test('Docker tells of containers through the front, and its failures too', async () => {
  const host = await startHost();
  run(host, 'dokku', ['postgres:create', 'main']);
  for (const words of [
    ['ps', '-a', '--format', '{{.Names}}'],
    ['container', 'inspect', 'dokku.postgres.main'],
    ['inspect', 'none'],
    ['version'],
  ])
    expect(run(host, 'docker', words)).toEqual(
      run(host, process.execPath, [program(host), 'docker', ...words]),
    );
});

test('the program answers itself where it was replaced after the front started', async () => {
  const host = await startHost();
  replaceProgram(host);
  expect(run(host, 'dokku', ['urls', 'hello'])).toMatchObject({ exit: 7, stdout: 'dokku urls hello' });
});

test('the program answers itself where the front has ended', async () => {
  const host = await startHost();
  await host.dispose();
  expect(run(host, 'dokku', ['version'])).toMatchObject({ exit: 0, stderr: '' });
});

test('the program answers itself where the folder’s path is too long for a socket', async () => {
  const host = await startHost({}, 'a-long-name-of-a-folder'.repeat(5));
  expect(run(host, 'dokku', ['version'])).toMatchObject({ exit: 0, stderr: '' });
});

test('a read whose reader has left ends with the code of the program', async () => {
  const host = await startHost();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills this in.
  const left = 'coproc { read -r; }; exec 4>&"${COPROC[1]}"; echo >&4; wait "$COPROC_PID"; "$@" >&4';
  const end = (...line: string[]) => run(host, 'bash', ['-c', left, 'bash', ...line]);
  expect(end('dokku', 'plugin:list').exit).toBe(141);
  expect(end(process.execPath, program(host), 'dokku', 'plugin:list').exit).toBe(141);
});

test('what the front answers are commands of the sandbox', () => {
  expect([...instantReads, ...instantChanges].filter((name) => !commands.has(name))).toEqual([]);
});
