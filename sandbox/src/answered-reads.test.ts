import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { commands } from './commands/registry.ts';
import { prepareSandboxHost, type SandboxHost, type SandboxOptions } from './index.ts';
import { instantReads } from './program/instant-reads.ts';
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

function run(host: SandboxHost, file: string, words: readonly string[], env: Record<string, string> = {}) {
  const done = spawnSync(file, words, { encoding: 'utf8', env: { ...process.env, ...host.env, ...env } });
  return { exit: done.status, signal: done.signal, stdout: done.stdout, stderr: done.stderr };
}

const program = ({ root }: SandboxHost) => join(root, 'program.cjs');

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
  // The verbs are the same for all six types.
  const others = allServiceKinds.filter(({ type }) => type !== 'postgres');
  const lines = instantReads
    .filter((name) => !others.some(({ type }) => name.startsWith(`${type}:`)))
    .flatMap((name) => linesOf(name));
  const told = (file: string, ...before: string[]) =>
    lines.map((line) => ({ line, ...run(host, file, [...before, ...line], { DOKKU_SANDBOX_AS: 'dokku' }) }));
  expect(told('dokku')).toEqual(told(process.execPath, program(host), 'dokku'));
}, 120_000);

test('a read starts no program, and a change starts one', async () => {
  const host = await startHost({ counted: true });
  const text = readFileSync(join(host.root, 'bin/dokku'), 'utf8');
  writeFileSync(join(host.root, 'bin/dokku'), text.replaceAll(process.execPath, '/bin/false'));
  expect(run(host, 'dokku', ['--quiet', 'apps:list'])).toMatchObject({ exit: 0 });
  expect(run(host, 'dokku', ['apps:create', 'hello'])).toMatchObject({ exit: 1, stdout: '' });
  expect(host.starts().map(({ command }) => command)).toEqual(['apps:list']);
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

test('every read is a command of the sandbox', () => {
  expect(instantReads.filter((name) => !commands.has(name))).toEqual([]);
});
