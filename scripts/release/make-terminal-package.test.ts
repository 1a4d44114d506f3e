import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { makeTerminalPackage, terminalPackageName } from './make-terminal-package.mjs';

const program = join(root, 'cli/dist/homeport.js');
const token = `homeport_${'a'.repeat(43)}`;
let folder: string;
let installed: string;
let url: string;
const server = createServer(({ url: path, headers }, response) => {
  if (path === '/api/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const beat = setInterval(() => response.write('data: {"topic":"apps","id":null}\n\n'), 5);
    response.once('close', () => clearInterval(beat));
    return;
  }
  if (path?.endsWith('/events')) {
    const operation = {
      id: '6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0a',
      title: 'Restart blog',
      state: 'running',
      steps: [],
      waitingFor: null,
      problem: null,
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: 1\ndata: ${JSON.stringify({ type: 'state', operation })}\n\n`);
    return;
  }
  const isKnown = path === '/api/configuration' || headers.authorization === `Bearer ${token}`;
  response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
  response.end(path === '/api/configuration' ? '{"version":"1.2.3"}' : '[]');
});
beforeAll(async () => {
  if (!existsSync(program)) throw new Error('Run `npm run build` first.');
  folder = mkdtempSync(join(tmpdir(), 'homeport-terminal-package-'));
  const file = join(folder, terminalPackageName('0.0.1'));
  makeTerminalPackage(file, { program, version: '0.0.1', at: 1_700_000_000 });
  const unpacked = spawnSync('tar', ['-xzf', file, '-C', folder], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(unpacked.stderr);
  installed = join(folder, 'package/homeport.js');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({
  ...{ PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
  ...more,
});

async function run(argv: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(installed, argv, { env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] });
  return ended(child);
}

async function ended(child: ChildProcess) {
  const printed = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const exit = await new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  );
  return { exit, ...printed };
}

it('the package for a terminal has the same bytes for the same program, whoever packs it and when', () => {
  const sums = ['first', 'second'].map((who) => {
    const file = join(folder, who, terminalPackageName('0.0.1'));
    makeTerminalPackage(file, { program, version: '0.0.1', at: 1_700_000_000 });
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  });
  expect(sums[0]).toBe(sums[1]);
});

it('is one file of at most 600 kB that loads no package, with the licences of what is inside', () => {
  expect(statSync(installed).size).toBeLessThan(600_000);
  const loaded = [...readFileSync(installed, 'utf8').matchAll(/^import .* from "([^"]+)"/gm)].map(
    ([, name]) => name,
  );
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  const packages = [
    ...readFileSync(program, 'utf8').matchAll(/^\/\/#region \S*node_modules\/((?:@[^/]+\/)?[^/]+)/gm),
  ];
  const licences = readFileSync(join(folder, 'package/THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const [, name = ''] of packages) expect(licences).toContain(`${name} `);
  expect(licences).toContain('zod 4');
});

it('runs by its own name, and ends with the code of the command', async () => {
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  const environment = { HOMEPORT_URL: url, HOMEPORT_TOKEN: token };
  expect(await run(['apps', '--json'], environment)).toEqual({ exit: 0, out: '[]\n', err: '' });
  expect((await run(['apps'], { HOMEPORT_URL: url, HOMEPORT_TOKEN: token.replace('aa', 'bb') })).exit).toBe(
    4,
  );
});

it('leaves running work alone at Ctrl-C, and ends with 130', async () => {
  const child = spawn(installed, ['op', 'watch', 'x'], {
    env: environment({ HOMEPORT_URL: url, HOMEPORT_TOKEN: token }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('Restart blog')) child.kill('SIGINT');
  });
  const { exit, err } = await ended(child);
  expect(exit).toBe(130);
  expect(err).toContain('homeport op watch x');
});

it('ends well in a pipe whose reader has read enough', async () => {
  const line = `'${process.execPath}' '${installed}' events --json | head -n 1; exit "\${PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', line], {
    env: environment({ HOMEPORT_URL: url, HOMEPORT_TOKEN: token }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(await ended(child)).toMatchObject({ exit: 0, err: '' });
});

it('shows no token that is typed at a real terminal', async () => {
  // script(1) gives the program a pseudo-terminal, and copies to its own output what that shows.
  const line = `'${process.execPath}' '${installed}' login ${url} --token-stdin`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (text.includes('API token')) child.stdin.write(`${token}\r`);
  });
  const { exit } = await ended(child);
  expect(exit).toBe(0);
  expect(shown).toContain('Signed in to');
  expect(shown).not.toContain('aaaa');
  expect(readFileSync(join(folder, '.config/homeport/credentials.json'), 'utf8')).toContain(token);
});
