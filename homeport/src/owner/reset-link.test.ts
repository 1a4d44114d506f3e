import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@homeport/contract/testing';
import { testDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  startConsoleProcess,
  temporaryFolder,
} from '../../testing/console-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const program = `const { main } = await import(${JSON.stringify(
  fileURLToPath(new URL('../../dist/server.js', import.meta.url)),
)}); await main(process.argv.slice(1));`;
const email = 'ada@example.com';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let port: string;
let console: ConsoleProcess | undefined;

beforeAll(async () => {
  buildServer();
  folder = await temporaryFolder();
  // PostgreSQL runs as another account where root runs the tests.
  await chmod(folder.path, 0o711);
  data = join(folder.path, 'data');
  port = String(await freePort());
});
afterAll(async () => {
  console?.child.kill('SIGTERM');
  await console?.ended;
  await folder?.[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  console = startConsoleProcess(['--data', data, '--port', port, '--only', 'api']);
  await console.ready();
}

async function stop(): Promise<void> {
  console?.child.kill('SIGTERM');
  expect(await console?.ended).toBe(0);
}

function post(path: string, body: unknown): Promise<Response> {
  const origin = `http://127.0.0.1:${port}`;
  return fetch(`${origin}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
}

const tokenIn = (output: string): string =>
  new RegExp(`^http://127\\.0\\.0\\.1:${port}/reset-password#token=(\\S+)$`, 'm').exec(output)?.[1] ?? '';

test('a console without an account says that the first one is the owner’s', async () => {
  await start();
  expect(await run(['owner', 'reset-link', '--data', data, '--port', port])).toEqual({
    exitCode: 1,
    output: expect.stringContaining('This console has no account yet.'),
  });
});

test('beside a running console, the link sets the owner’s password', async () => {
  const made = await post('sign-up/email', { name: 'Ada', email, password: 'correct horse battery staple' });
  expect(made.status).toBe(200);
  const { exitCode, output } = await run(['owner', 'reset-link', '--data', data, '--port', port]);
  expect({ exitCode, output }).toEqual({
    exitCode: 0,
    output: expect.stringContaining('sets a new password for Ada <ada@example.com>'),
  });
  const newPassword = 'a harbour in the fog';
  expect((await post('reset-password', { token: tokenIn(output), newPassword })).status).toBe(200);
  expect((await post('sign-in/email', { email, password: newPassword })).status).toBe(200);
});

test('a link that was made while the console did not run works when it runs', async () => {
  await stop();
  const { exitCode, output } = await run(['owner', 'reset-link', '--data', data, '--port', port]);
  expect(exitCode).toBe(0);
  await start();
  const newPassword = 'a lantern on the pier';
  expect((await post('reset-password', { token: tokenIn(output), newPassword })).status).toBe(200);
});

test('works on the database of an operator’s own, and refuses one without a console', async () => {
  await using server = await testDatabase();
  const env = { DATABASE_URL: server.url, HOMEPORT_SECRET: 'a secret of thirty-two letters or more' };
  expect((await run(['owner', 'reset-link'], env)).output).toContain('This console has no account yet.');
  await server.store.pool.query('drop table migration');
  expect(await run(['owner', 'reset-link'], env)).toEqual({
    exitCode: 1,
    output: expect.stringContaining('There is no console’s data in this database.'),
  });
  expect(await run(['owner', 'reset-link', '--data', join(folder.path, 'nowhere')])).toEqual({
    exitCode: 1,
    output: expect.stringContaining('There is no console’s data in'),
  });
  expect((await run(['owner', 'rest-link'])).output).toContain(
    'owner reset-link. --help lists the commands.',
  );
});

/** Runs the built program until it ends. */
async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...argv], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}
