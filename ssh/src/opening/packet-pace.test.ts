import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { packetPace } from '@homeport/contract/limits';
import type { Connection as ServerConnection } from 'ssh2';
import { expect, it } from 'vitest';
import { makeKey, signerFor, startOlderServer } from '../../testing/index.ts';
import { openConnection } from '../index.ts';
import { dial } from './dial.ts';
import { PacketPace, pacePackets } from './packet-pace.ts';
import { protocolOf, sendPayload } from './ssh2-protocol.ts';
import { wireString } from './wire.ts';

const { atOnce, perSecond } = packetPace;

it('lets so many packets through at once, and then so many a second', () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  for (let n = 0; n < atOnce; n += 1) expect(pace.take()).toBe(true);
  expect(pace.take()).toBe(false);
  expect(pace.waitMs()).toBe(Math.ceil(1_000 / perSecond));
  now += 500;
  for (let n = 1; n < perSecond / 2; n += 1) expect(pace.take()).toBe(true);
  expect(pace.take()).toBe(false);
  now += 60_000;
  expect(pace.isAtRest).toBe(true);
  expect(pace.waitMs()).toBe(0);
});

/** A connection as the pace sees it. `arrives` is what it has ready when it is read on. */
function connection(name: string, readOn: string[], arrives = () => {}) {
  const socket = new EventEmitter();
  const state = { isRead: true };
  return Object.assign(socket, {
    destroyed: false,
    state,
    pause() {
      state.isRead = false;
    },
    resume() {
      state.isRead = true;
      readOn.push(name);
      setImmediate(arrives);
    },
  });
}

it('reads no connection on while their common pace is used up, and all of them afterwards', async () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  const readOn: string[] = [];
  const sockets = [connection('one', readOn), connection('other', readOn)] as const;
  const [one, other] = [pacePackets(sockets[0], pace), pacePackets(sockets[1], pace)];
  for (let n = 0; n < atOnce; n += 1) one();
  expect(sockets.map(({ state }) => state.isRead)).toEqual([true, true]);
  // The packet that is one too many stops also the connection that sent the others.
  other();
  expect(sockets.map(({ state }) => state.isRead)).toEqual([false, false]);
  one();
  expect(readOn).toEqual([]);
  now += 60_000;
  await expect.poll(() => readOn).toEqual(['one', 'other']);
  expect(sockets.map(({ state }) => state.isRead)).toEqual([true, true]);
});

it('reads the next connection on only after the packets of the one before are counted', async () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  const readOn: string[] = [];
  const burst = (packet: () => void) => {
    for (let n = 0; n <= atOnce; n += 1) packet();
  };
  const packets: (() => void)[] = ['one', 'two', 'three'].map((name) => {
    const packet: () => void = pacePackets(
      connection(name, readOn, () => burst(packet)),
      pace,
    );
    return packet;
  });
  for (const packet of packets) packet();
  for (const packet of packets) burst(packet);
  // The clock stands while a burst is counted, so each burst uses the pace up for those that wait.
  const turns = ['two', 'three', 'one', 'two'];
  for (const [index] of turns.entries()) {
    expect(pace.waitMs()).toBeGreaterThan(0);
    now += 60_000;
    await expect.poll(() => pace.waitMs()).toBeGreaterThan(0);
    expect(readOn).toEqual(turns.slice(0, index + 1));
  }
});

it('lets a silent or closed connection delay nobody behind it', async () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  const readOn: string[] = [];
  const sockets = ['silent', 'closed', 'last'].map((name) => connection(name, readOn));
  const packets = sockets.map((socket) => pacePackets(socket, pace));
  for (const packet of packets) packet();
  for (let n = 0; n <= atOnce; n += 1) packets[2]?.();
  sockets[1]?.emit('close');
  now += 60_000;
  await expect.poll(() => readOn).toEqual(['silent', 'last']);
});

it('takes no more than one read beyond the pace from sockets that are all ready at once', async () => {
  const many = 8;
  const peers: Promise<void>[] = [];
  const server = createServer((peer) => {
    peer.on('error', () => {});
    peers.push(new Promise((sent) => peer.write(Buffer.of(1), () => sent())));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { signal } = new AbortController();
  const dialled = await Promise.all(
    Array.from({ length: many }, () => dial({ host: '127.0.0.1', port }, 60_000, signal)),
  );
  let now = 0;
  const pace = new PacketPace(() => now);
  const read = new Set<number>();
  for (const [index, { socket }] of dialled.entries()) {
    const packet = pacePackets(socket, pace);
    packet();
    socket.on('data', () => {
      read.add(index);
      for (let n = 0; n <= atOnce; n += 1) packet();
    });
    socket.pause();
  }
  try {
    await expect.poll(() => peers.length).toBe(many);
    await Promise.all(peers);
    for (const { socket } of dialled) socket.resume();
    for (let turn = 1; turn <= many; turn += 1) {
      await expect.poll(() => read.size).toBeGreaterThanOrEqual(turn);
      expect(read.size).toBe(turn);
      now += 60_000;
    }
  } finally {
    for (const { socket } of dialled) socket.destroy();
    server.close();
  }
  await expect.poll(() => pace.isAtRest).toBe(true);
});

it('is held by a connection from the opening until its socket has closed', async () => {
  const key = makeKey('ed25519');
  await using server = await startOlderServer({ authorizedKey: key.publicKeyLine });
  let now = 0;
  const pace = new PacketPace(() => now);
  const isAtRest = () => {
    now += 60_000;
    return pace.isAtRest;
  };
  const open = (user: string) =>
    openConnection({
      ...{ host: server.host, port: server.port, username: user, plainAllowed: true, pace },
      pinnedHostKey: user === 'ines' ? server.hostKeyFingerprint : 'SHA256:other',
      credential: { method: 'agent', signer: signerFor(key.privateKeyPem) },
    });
  expect(isAtRest()).toBe(true);
  const opening = open('ines');
  expect(isAtRest()).toBe(false);
  const opened = await opening;
  expect(isAtRest()).toBe(false);
  opened.close();
  await expect.poll(isAtRest).toBe(true);
  const refused = open('eve');
  expect(isAtRest()).toBe(false);
  await expect(refused).rejects.toThrow();
  await expect.poll(isAtRest).toBe(true);
});

it('answers a server that sent packets without end, once it has stopped', async () => {
  const key = makeKey('ed25519');
  let flooded = 0;
  const flood = (client: ServerConnection) => {
    for (; flooded < 2 * atOnce; flooded += 1)
      sendPayload(protocolOf(client), [Buffer.of(2), wireString('x')]);
  };
  await using server = await startOlderServer({
    authorizedKey: key.publicKeyLine,
    onCommand: (command, _channel, client) => {
      if (command.includes('flood')) flood(client);
      return false;
    },
  });
  let now = 0;
  const pace = new PacketPace(() => now);
  const connection = await openConnection({
    ...{ host: server.host, port: server.port, username: 'ines', plainAllowed: true, pace },
    pinnedHostKey: server.hostKeyFingerprint,
    credential: { method: 'agent', signer: signerFor(key.privateKeyPem) },
  });
  try {
    let isAnswered = false;
    const answer = connection.exec({ argv: ['flood'], deadlineMs: 60_000 }).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => pace.waitMs(), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(isAnswered).toBe(false);
    // By its own clock the pace is at rest from here on.
    now = Number.MAX_SAFE_INTEGER;
    expect((await answer).stdout).toContain('flood');
  } finally {
    connection.close();
  }
}, 60_000);
