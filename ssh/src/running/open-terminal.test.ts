import { execFileSync } from 'node:child_process';
import { channelWindowBytes } from '@homeport/contract/limits';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keyLogin, makeKey, type Sshd, signerFor, startSshd } from '../../testing/index.ts';
import { CommandError, type Connection, openConnection, type TerminalOptions } from '../index.ts';

const key = makeKey();
const openWithinMs = 60_000;
const patience = { timeout: 30_000, interval: 50 };
let sshd: Sshd;
let opened: Connection[] = [];

beforeAll(async () => {
  sshd = await startSshd({ authorizedKeys: [`restrict,pty ${key.publicKeyLine}`] });
});
afterEach(() => {
  for (const connection of opened) connection.close();
  opened = [];
});
afterAll(() => sshd.dispose());

async function connect(to: Sshd = sshd): Promise<Connection> {
  const connection = await openConnection(keyLogin(to, signerFor(key.privateKeyPem)));
  opened.push(connection);
  return connection;
}

/** A terminal whose screen the test reads as text. */
async function openOn(connection: Connection, argv: string[], more: Partial<TerminalOptions> = {}) {
  const leave = new AbortController();
  let screen = '';
  const terminal = await connection.openTerminal({
    argv,
    size: { columns: 97, rows: 31 },
    signal: leave.signal,
    openWithinMs,
    onOutput: (bytes) => {
      screen += bytes.toString('utf8');
    },
    ...more,
  });
  const type = (text: string) => terminal.write(Buffer.from(text));
  const shows = (text: string) => expect.poll(() => screen, patience).toContain(text);
  return { terminal, leave, type, shows, screen: () => screen };
}

const processesWith = (mark: string) =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark)).length;

test('a program finds the size that the person has, before its first look and after each change', async () => {
  const { terminal, type, shows } = await openOn(await connect(), ['sh', '-c', 'stty size; exec sh']);
  await shows('31 97');
  terminal.resize({ columns: 120, rows: 40 });
  await type('stty size\n');
  await shows('40 120');
});

test('the screen holds nothing of the launcher’s, and the exit code is that of the program', async () => {
  const { terminal, type, shows, screen } = await openOn(await connect(), [
    'sh',
    '-c',
    'echo "up $TERM"; exec sh',
  ]);
  await shows('up xterm-256color');
  await type('exit 7\n');
  expect(await terminal.ended).toEqual({ exitCode: 7, signal: null, lost: false });
  expect(screen()).not.toContain('homeport-');
});

test('signals are bytes: ^C interrupts what runs on the terminal', async () => {
  const interrupted = "trap 'exit 5' INT; echo up; while :; do sleep 600; done";
  const { terminal, type, shows } = await openOn(await connect(), ['sh', '-c', interrupted]);
  await shows('up');
  await type('\x03');
  expect(await terminal.ended).toMatchObject({ exitCode: 5 });
});

test('a terminal that is left leaves no process on the server, not even one that ignores the hang-up', async () => {
  const mark = `left-${process.pid}`;
  const stubborn = `trap '' HUP; echo up; while :; do sleep 600; done`;
  const { terminal, leave, shows } = await openOn(await connect(), ['sh', '-c', stubborn, mark]);
  await shows('up');
  expect(processesWith(mark)).toBeGreaterThan(0);
  leave.abort();
  expect(await terminal.ended).toMatchObject({ lost: false });
  await expect.poll(() => processesWith(mark), patience).toBe(0);
}, 60_000);

test('a reader who takes nothing holds the program up after one window, and loses no byte', async () => {
  const bytes = 3 * channelWindowBytes;
  let arrived = 0;
  let takeAll = () => {};
  const untilTaken = new Promise<void>((resolve) => {
    takeAll = resolve;
  });
  const { terminal } = await openOn(
    await connect(),
    ['sh', '-c', `stty -opost; head -c ${bytes} /dev/zero`],
    {
      onOutput: (piece) => {
        arrived += piece.length;
        return untilTaken;
      },
    },
  );
  await expect.poll(() => arrived, patience).toBeGreaterThan(channelWindowBytes / 2);
  // The launcher's line is part of the first window.
  expect(arrived).toBeLessThanOrEqual(channelWindowBytes);
  takeAll();
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(arrived).toBe(bytes);
});

test('a lost connection ends the terminal as lost, and nothing goes to it any more', async () => {
  const connection = await connect();
  const { terminal, shows, type } = await openOn(connection, ['sh', '-c', 'echo up; exec sh']);
  await shows('up');
  connection.close();
  expect(await terminal.ended).toEqual({ exitCode: null, signal: null, lost: true });
  await type('echo late\n');
  terminal.resize({ columns: 80, rows: 24 });
});

test('terminals leave channels for commands, and an open terminal keeps its connection in use', async () => {
  const connection = await connect();
  const most = connection.channelLimit - 2;
  const all = await Promise.all(
    Array.from({ length: most }, () => openOn(connection, ['sh', '-c', 'echo up; exec sh'])),
  );
  for (const { shows } of all) await shows('up');
  expect(connection.running).toBe(most);
  const { stdout } = await connection.exec({ argv: ['echo', 'beside'], deadlineMs: 60_000 });
  expect(stdout).toBe('beside\n');
  const refused = new AbortController();
  const waiting = connection.openTerminal({
    ...{
      argv: ['sh'],
      size: { columns: 80, rows: 24 },
      signal: refused.signal,
      openWithinMs,
      onOutput: () => {},
    },
  });
  refused.abort();
  await expect(waiting).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  for (const { leave } of all) leave.abort();
  await expect.poll(() => connection.running, patience).toBe(0);
}, 60_000);

test('a login without terminals is refused as such, and an answer of no begins nothing', async () => {
  await using restricted = await startSshd({ authorizedKeys: [`restrict ${key.publicKeyLine}`] });
  const refusal = await openOn(await connect(restricted), ['sh']).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CommandError);
  expect(refusal).toMatchObject({ failure: { code: 'terminal_refused' } });
  const mark = `asked-${process.pid}`;
  const no = new Error('Not any more.');
  const before = () => Promise.reject(no);
  await expect(openOn(await connect(), ['sh', '-c', 'sleep 600; :', mark], { before })).rejects.toBe(no);
  expect(processesWith(mark)).toBe(0);
});
