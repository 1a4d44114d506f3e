import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { transferWindowBytes } from '@homeport/contract/limits';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keyLogin, makeKey, type Sshd, signerFor, startSshd } from '../../testing/index.ts';
import { CommandError, type Connection, openConnection } from '../index.ts';

/** Files that pass through: output and input of a command that nobody keeps in memory. */
const key = makeKey();
const deadlineMs = 60_000;
let sshd: Sshd;
/** Ends by itself when it was idle for a moment. */
let connection: Connection;

beforeAll(async () => {
  sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
});
beforeEach(async () => {
  connection = await openConnection({
    ...keyLogin(sshd, signerFor(key.privateKeyPem)),
    life: { idleMs: 1_500 },
  });
});
afterEach(() => connection?.close());
afterAll(() => sshd?.dispose());

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const failureOf = (error: unknown) => (error instanceof CommandError ? error.failure : error);

test('bytes of every value pass through unchanged in both directions, and none is kept', async () => {
  const sent = randomBytes(8 * 1024 * 1024);
  const arrived: Buffer[] = [];
  async function* pieces() {
    for (let at = 0; at < sent.length; at += 100_000) yield sent.subarray(at, at + 100_000);
  }
  const ran = await connection.exec({
    argv: ['cat'],
    deadlineMs,
    stdin: pieces(),
    onStdoutBytes: (bytes) => void arrived.push(Buffer.from(bytes)),
  });
  expect(ran).toMatchObject({ exitCode: 0, stdout: '', truncated: false });
  expect(sum(Buffer.concat(arrived))).toBe(sum(sent));
});

// Reads share memory, and ssh2 keeps parts of a packet from read to read in a way of its own for each kind of cipher.
test.each([['aes128-gcm@openssh.com'], ['aes256-ctr'], ['chacha20-poly1305@openssh.com']])(
  'bytes that a reader keeps stay as they were under %s',
  async (cipher) => {
    const ciphered = await startSshd({ authorizedKeys: [key.publicKeyLine], config: { Ciphers: cipher } });
    const own = await openConnection(keyLogin(ciphered, signerFor(key.privateKeyPem)));
    try {
      const sent = randomBytes(4 * 1024 * 1024);
      const kept: Buffer[] = [];
      await own.exec({
        argv: ['cat'],
        deadlineMs,
        stdin: sent,
        onStdoutBytes: (bytes) => void kept.push(bytes),
      });
      expect(sum(Buffer.concat(kept))).toBe(sum(sent));
    } finally {
      own.close();
      await ciphered.dispose();
    }
  },
);

// All large packets of an upload share memory, and each key exchange begins a new cipher.
test.each([['aes128-gcm@openssh.com'], ['chacha20-poly1305@openssh.com']])(
  'bytes arrive unchanged on the server under %s, with new keys in the middle',
  async (cipher) => {
    const config = { Ciphers: cipher, RekeyLimit: '256K' };
    const ciphered = await startSshd({ authorizedKeys: [key.publicKeyLine], config });
    const own = await openConnection(keyLogin(ciphered, signerFor(key.privateKeyPem)));
    try {
      const sent = randomBytes(6 * 1024 * 1024);
      const ran = await own.exec({ argv: ['sha256sum'], deadlineMs, stdin: sent });
      expect(ran.stdout).toBe(`${sum(sent)}  -\n`);
    } finally {
      own.close();
      await ciphered.dispose();
    }
  },
);

test('a reader who takes nothing holds the command back at one window', async () => {
  let arrived = 0;
  let takeAll = () => {};
  const untilTaken = new Promise<void>((resolve) => {
    takeAll = resolve;
  });
  const size = 3 * transferWindowBytes;
  const running = connection.exec({
    argv: ['head', '-c', String(size), '/dev/zero'],
    deadlineMs,
    onStdoutBytes: (bytes) => {
      arrived += bytes.length;
      return untilTaken;
    },
  });
  // The launcher’s own line takes a little of the window.
  await expect.poll(() => arrived).toBeGreaterThan(transferWindowBytes - 200);
  // Longer than the connection may be idle: a transfer counts as use.
  await pause(2_000);
  expect(arrived).toBeLessThanOrEqual(transferWindowBytes);
  takeAll();
  expect((await running).exitCode).toBe(0);
  expect(arrived).toBe(size);
});

test('a transfer that stands still is ended, and nothing of it is left on the server', async () => {
  const ended = await connection
    .exec({ argv: ['sleep', '600'], deadlineMs, stallMs: 300, onStdoutBytes: () => {} })
    .catch(failureOf);
  expect(ended).toMatchObject({ code: 'stalled', stallMs: 300, remoteEnded: true });
});

test('a server that takes its time after the last byte of the input is not ended', async () => {
  async function* whole() {
    yield Buffer.from('whole');
  }
  const ran = await connection.runProgram({
    script: 'cat >/dev/null; sleep 4',
    deadlineMs,
    stallMs: 3_000,
    stdin: whole(),
    onStdoutBytes: () => {},
  });
  expect(ran.exitCode).toBe(0);
});

test('a transfer that goes on slowly is not ended', async () => {
  const script = 'for n in 1 2 3 4 5 6 7 8 9; do echo $n; sleep 0.4; done';
  const ran = await connection.runProgram({ script, deadlineMs, stallMs: 3_000, onStdoutBytes: () => {} });
  expect(ran.exitCode).toBe(0);
});

test('an input that fails cancels the command, which never sees its end', async () => {
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('The sender is gone.');
  }
  const printed: string[] = [];
  const ended = await connection
    .runProgram({
      script: 'cat >/dev/null; echo whole',
      deadlineMs,
      stdin: broken(),
      onStdoutBytes: (bytes) => void printed.push(String(bytes)),
    })
    .catch(failureOf);
  expect(ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
  expect(printed).toEqual([]);
});

test('a command that does not read its input to the end is answered all the same', async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(64 * 1024);
  }
  const ran = await connection.exec({ argv: ['head', '-c', '5'], deadlineMs, stdin: endless() });
  expect(ran.exitCode).toBe(0);
});
