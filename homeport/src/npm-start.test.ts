import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@homeport/contract/testing';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildServer, isRunning, postmasterPid, temporaryFolder } from '../testing/console-process.ts';

// Each test starts a whole console through npm, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('../../', import.meta.url));
const endsWithinMs = 40_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let npm: ChildProcess;
let pids = { npm: 0, console: 0, postgres: 0 };

beforeAll(() => buildServer(), 120_000);

/** Runs the script of `npm start` from package.json, without the check for installing and building. */
beforeEach(async () => {
  pids = { npm: 0, console: 0, postgres: 0 };
  folder = await temporaryFolder();
  // PostgreSQL's account has to pass through this folder.
  chmodSync(folder.path, 0o711);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(join(folder.path, 'scripts'));
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }));
  writeFileSync(
    join(folder.path, 'scripts/start.mjs'),
    `const { main } = await import(${JSON.stringify(join(root, 'homeport/dist/server.js'))}); await main(process.argv.slice(2));`,
  );
  const data = join(folder.path, 'data');
  const words = ['--data', data, '--only', 'api', '--port', String(await freePort())];
  npm = spawn('npm', ['start', '--', ...words], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<never>((_resolve, reject) => {
    npm.once('close', () => reject(new Error(`ended before it was ready:\n${printed}`)));
  });
  ended.catch(() => {});
  await Promise.race([ended, expect.poll(() => printed, { timeout: 90_000 }).toContain('Ctrl-C ends it.')]);
  const postgres = await postmasterPid(data);
  const parent = execFileSync('ps', ['-o', 'ppid=', '-p', String(postgres)], { encoding: 'utf8' });
  pids = { npm: npm.pid ?? 0, console: Number(parent), postgres };
}, 120_000);
afterEach(async () => {
  for (const pid of Object.values(pids)) if (pid > 0 && (await isRunning(pid))) process.kill(pid, 'SIGKILL');
  await folder[Symbol.asyncDispose]();
});

const running = async () => {
  const found = await Promise.all(Object.values(pids).map(isRunning));
  return Object.keys(pids).filter((_name, at) => found[at]);
};

test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to npm alone ends the console and PostgreSQL too',
  async (signal) => {
    expect(await running()).toEqual(['npm', 'console', 'postgres']);
    process.kill(pids.npm, signal);
    await expect.poll(running, { timeout: endsWithinMs }).toEqual([]);
  },
);

test('PostgreSQL does not outlive a killed console', async () => {
  process.kill(pids.console, 'SIGKILL');
  await expect.poll(running, { timeout: endsWithinMs }).toEqual([]);
});
