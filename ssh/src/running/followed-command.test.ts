import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyLogin, makeKey, type Sshd, signerFor, startSshd } from '../../testing/index.ts';
import { CommandError, type Connection, openConnection } from '../index.ts';

// The machine may be busy, and each test waits for other programs.
vi.setConfig({ testTimeout: 60_000 });

/** A followed command whose processes never write anything: only its end on the server can be seen. */
const key = makeKey();
const deadlineMs = 60_000;
let sshd: Sshd;
let restricted: Sshd;
let folder: string;
let keyFile: string;
let opened: Connection[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-followed-'));
  keyFile = join(folder, 'key');
  writeFileSync(keyFile, key.privateKeyPem, { mode: 0o600 });
  sshd = await startSshd({ authorizedKeys: [`restrict,pty ${key.publicKeyLine}`] });
  restricted = await startSshd({ authorizedKeys: [`restrict ${key.publicKeyLine}`] });
});
afterAll(async () => {
  for (const connection of opened) connection.close();
  opened = [];
  await sshd?.dispose();
  await restricted?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(to: Sshd): Promise<Connection> {
  const connection = await openConnection(keyLogin(to, signerFor(key.privateKeyPem)));
  opened.push(connection);
  return connection;
}

/** Like `dokku logs --tail`: a leader that waits for readers, which wait for the app. */
const silent = (mark: string) => [
  'sh',
  '-c',
  `echo up; for n in 1 2 3; do sh -c 'sleep 600; :' "reader of ${mark}" | cat & done; wait`,
  mark,
];

const processesWith = (mark: string) =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !line.includes('follow-and-wait')).length;

/** Follows until the readers run. `leave` closes the stream. */
async function followSilent(connection: Connection, mark: string) {
  const leave = new AbortController();
  const ended = connection.exec({ argv: silent(mark), deadlineMs, follows: true, signal: leave.signal }).then(
    () => 'ran to its end',
    (error: unknown) => (error instanceof CommandError ? error.failure : error),
  );
  await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toBeGreaterThan(3);
  return { leave, ended };
}

const nothingLeft = (mark: string) =>
  expect.poll(() => processesWith(mark), { timeout: 20_000, interval: 50 }).toBe(0);

test('a closed stream leaves no process of a silent command on the server', async () => {
  const mark = `closed-${process.pid}`;
  const { leave, ended } = await followSilent(await connect(sshd), mark);
  leave.abort();
  expect(await ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
  await nothingLeft(mark);
});

test('a dropped connection leaves no process of a silent command on the server', async () => {
  const mark = `dropped-${process.pid}`;
  const connection = await connect(sshd);
  const { ended } = await followSilent(connection, mark);
  connection.close('lost');
  expect(await ended).toMatchObject({ code: 'connection_lost' });
  await nothingLeft(mark);
});

test('a killed console leaves no process of a silent command on the server', async () => {
  const mark = `killed-${process.pid}`;
  const console = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      new URL('../../testing/follow-and-wait.ts', import.meta.url).pathname,
      ...[sshd.host, String(sshd.port), sshd.user, sshd.hostKeyFingerprint, keyFile],
      ...silent(mark),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(console, 'exit');
  await Promise.race([
    once(console.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('The console ended by itself.'))),
  ]);
  await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toBeGreaterThan(3);
  console.kill('SIGKILL');
  await exited;
  await nothingLeft(mark);
});

test('followed output arrives byte for byte: colours, line ends, and bytes that a terminal would interpret', async () => {
  const connection = await connect(sshd);
  const text =
    '\u001b[36m2026 app[web.1]:\u001b[0m one\ntwo\r\n\tthree\u0003\u0004\u0011\u0013\u001a\u007f ünï 😀\n\n';
  const result = await connection.exec({ argv: ['printf', '%s', text], deadlineMs, follows: true });
  expect(result).toMatchObject({ exitCode: 0, stdout: text, stderr: '' });
});

test('followed output keeps its order where the command writes to both streams', async () => {
  const connection = await connect(sshd);
  const argv = ['sh', '-c', 'echo one; echo two >&2; echo three'];
  const result = await connection.exec({ argv, deadlineMs, follows: true });
  expect(result).toMatchObject({ stdout: 'one\ntwo\nthree\n', stderr: '' });
});

test('where the server gives no terminal, nothing is started and the failure says so', async () => {
  const mark = `refused-${process.pid}`;
  const connection = await connect(restricted);
  const failure = await connection
    .exec({ argv: silent(mark), deadlineMs, follows: true })
    .catch((error: unknown) => (error instanceof CommandError ? error.failure : error));
  expect(failure).toEqual({ code: 'terminal_refused' });
  expect(processesWith(mark)).toBe(0);
  expect(await connection.exec({ argv: ['echo', 'fine'], deadlineMs })).toMatchObject({ stdout: 'fine\n' });
});
