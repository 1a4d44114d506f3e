import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Command } from '../command.ts';
import * as sockets from './sockets.ts';

const outcome = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' });

function run(command: Command): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const [program = '', ...words] = command.words;
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** A server on a loopback port that does this with each caller. */
async function listen(greet: (socket: Socket) => void) {
  const server = createServer((socket) => {
    // The caller leaves without waiting for the end.
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('reads the ports that something listens on, over IPv4 and IPv6, each once', () => {
  const told = `   0: 0100007F:5CB3 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
  12: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0
   3: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 00000000:00000000 00:0 0 0 0
`;
  expect(sockets.readListening(outcome(told))).toEqual([23731, 22]);
});

test('finds a port of this machine while something listens there', async () => {
  await using there = await listen(() => {});
  const told = await run(sockets.listening());
  expect(sockets.isAnswer(told)).toBe(true);
  expect(sockets.readListening(told)).toContain(there.port);
});

test('leaves out the networks of containers, and IPv6 addresses that pass', () => {
  const told = `2: eth0    inet 10.0.0.5/24 brd 10.0.0.255 scope global eth0\\       valid_lft forever preferred_lft forever
3: docker0    inet 172.17.0.1/16 brd 172.17.255.255 scope global docker0\\       valid_lft forever
4: wg0    inet 10.8.0.1/24 scope global wg0\\       valid_lft forever preferred_lft forever
2: eth0    inet6 fd12:3456::a/64 scope global dynamic mngtmpaddr noprefixroute \\       valid_lft 86397sec preferred_lft 14397sec
2: eth0    inet6 fd12:3456::f1c2/64 scope global temporary dynamic \\       valid_lft 86397sec preferred_lft 14397sec
2: eth0    inet6 fd12:3456::f1c3/64 scope global deprecated \\       valid_lft 86397sec preferred_lft 0sec
2: eth0    inet6 fd12:3456::f1c4/64 scope global tentative \\       valid_lft forever preferred_lft forever
3: docker0    inet6 fd00:d0c::1/64 scope global \\       valid_lft forever preferred_lft forever
4: wg0    inet6 fd08::1/128 scope global \\       valid_lft forever preferred_lft forever
`;
  expect(sockets.readAddresses(outcome(told))).toEqual(['10.0.0.5', '10.8.0.1', 'fd12:3456::a', 'fd08::1']);
});

test('a port answers if its connection stays open or greets', async () => {
  await using silent = await listen(() => {});
  expect((await run(sockets.answers('127.0.0.1', silent.port))).exitCode).toBe(0);
  await using greeting = await listen((socket) => socket.end('hello'));
  expect((await run(sockets.answers('127.0.0.1', greeting.port))).exitCode).toBe(0);
});

test('a port does not answer if its connections close at once, or nothing listens', async () => {
  const closing = await listen((socket) => socket.destroy());
  expect((await run(sockets.answers('127.0.0.1', closing.port))).exitCode).toBe(1);
  await closing[Symbol.asyncDispose]();
  expect((await run(sockets.answers('127.0.0.1', closing.port))).exitCode).toBe(1);
});
