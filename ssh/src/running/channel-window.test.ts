import { channelWindowBytes } from '@homeport/contract/limits';
import type { Client, ServerChannel, Connection as ServerConnection } from 'ssh2';
import { afterEach, describe, expect, it } from 'vitest';
import { keyLogin, makeKey, signerFor, startOlderServer, startSshd } from '../../testing/index.ts';
import { CommandError, type Connection, openConnection } from '../index.ts';
import { protocolOf, sendPayload } from '../opening/ssh2-protocol.ts';
import { wireString, wireUint32 } from '../opening/wire.ts';

const key = makeKey();
const deadlineMs = 30_000;
const packetBytes = 32 * 1024;
const opened: Connection[] = [];

afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** SSH_MSG_CHANNEL_DATA and SSH_MSG_CHANNEL_EXTENDED_DATA of stderr (RFC 4254, 5.2): ssh2's own `write` obeys the window. */
const dataMessages = {
  stdout: (channel: number, bytes: Buffer) => [Buffer.of(94), wireUint32(channel), wireString(bytes)],
  stderr: (channel: number, bytes: Buffer) => [
    Buffer.of(95),
    wireUint32(channel),
    wireUint32(1),
    wireString(bytes),
  ],
};
type Stream = keyof typeof dataMessages;

const sendData = (client: ServerConnection, channel: number, stream: Stream, bytes: number) =>
  sendPayload(
    protocolOf(client as unknown as Client),
    dataMessages[stream](channel, Buffer.alloc(bytes, 'x')),
  );

/** Connects to a server that answers the command `flood` by `attack`, and every other command by repeating its text. */
async function connectTo(attack: (client: ServerConnection, channel: number) => void) {
  const server = await startOlderServer({
    authorizedKey: key.publicKeyLine,
    onCommand: (command, channel, client) => {
      if (!command.includes('flood')) return false;
      attack(client, recipientOf(channel));
      return true;
    },
  });
  const connection = await openConnection({
    host: server.host,
    port: server.port,
    username: 'ines',
    pinnedHostKey: server.hostKeyFingerprint,
    plainAllowed: true,
    credential: { method: 'agent', signer: signerFor(key.privateKeyPem) },
  });
  opened.push(connection);
  return { connection, server };
}

/** The client's number of a channel. */
const recipientOf = (channel: ServerChannel) =>
  (channel as unknown as { outgoing: { id: number } }).outgoing.id;

/** Runs `flood` with a reader that takes nothing. Returns the bytes that arrived. */
function floodUnread(connection: Connection) {
  let arrived = 0;
  const take = (text: string) => {
    arrived += text.length;
    return new Promise<void>(() => {});
  };
  const ended = connection
    .exec({
      argv: ['flood'],
      deadlineMs,
      whenTooLong: 'keep_newest',
      onStdout: take,
      onStderr: take,
    })
    .then(
      () => 'ended' as const,
      (error: unknown) => {
        if (error instanceof CommandError) return error.failure.code;
        throw error;
      },
    );
  return { ended, arrived: () => arrived };
}

describe('a server that sends past the window of a channel', () => {
  it.each(['stdout', 'stderr'] as const)('loses its connection: %s', async (stream) => {
    const packets = channelWindowBytes / packetBytes + 1;
    const { connection, server } = await connectTo((client, channel) => {
      for (let n = 0; n < packets; n += 1) sendData(client, channel, stream, packetBytes);
    });
    await using _ = server;
    const closed = new Promise((resolve) => connection.onClose(resolve));
    const { ended, arrived } = floodUnread(connection);
    expect(await ended).toBe('connection_lost');
    expect(await closed).toBe('lost');
    expect(connection.usable).toBe(false);
    expect(arrived()).toBeLessThanOrEqual(channelWindowBytes);
  });

  it('loses its connection for data on a channel that was never opened', async () => {
    const { connection, server } = await connectTo((client) => sendData(client, 77, 'stdout', 1));
    await using _ = server;
    const { ended } = floodUnread(connection);
    expect(await ended).toBe('connection_lost');
  });

  it('keeps its connection up to the last byte of the window, which both streams share', async () => {
    const { connection, server } = await connectTo((client, channel) => {
      for (let sent = 0; sent < channelWindowBytes; sent += packetBytes)
        sendData(client, channel, sent % (2 * packetBytes) === 0 ? 'stdout' : 'stderr', packetBytes);
    });
    await using _ = server;
    const { arrived } = floodUnread(connection);
    await expect.poll(arrived, { timeout: 10_000 }).toBe(channelWindowBytes);
    const { stdout } = await connection.exec({ argv: ['echo', 'beside'], deadlineMs });
    expect(stdout).toContain('beside');
    expect(connection.usable).toBe(true);
  });
});

describe('a server that sends byte by byte', () => {
  it('makes no piece of each byte for a reader who is behind', async () => {
    const bytes = 40_000;
    const { connection, server } = await connectTo((client, channel) => {
      for (let n = 0; n < bytes; n += 1) sendData(client, channel, 'stdout', 1);
    });
    await using _ = server;
    const pieces: number[] = [];
    let takeAll = () => {};
    const untilTaken = new Promise<void>((resolve) => {
      takeAll = resolve;
    });
    const ended = connection.exec({
      argv: ['flood'],
      deadlineMs,
      onStdoutBytes: (piece) => {
        pieces.push(piece.length);
        return untilTaken;
      },
    });
    const arrived = () => pieces.reduce((sum, length) => sum + length, 0);
    await expect.poll(arrived, { timeout: 20_000 }).toBeGreaterThan(bytes / 2);
    expect(pieces.length).toBeLessThan(5);
    takeAll();
    await expect.poll(arrived, { timeout: 20_000 }).toBe(bytes);
    connection.close();
    await expect(ended).rejects.toThrow();
  });
});

describe('a channel that waits for its reader', () => {
  it('keeps its connection, because sshd’s keepalives and ours are answered meanwhile', async () => {
    await using sshd = await startSshd({
      authorizedKeys: [key.publicKeyLine],
      // sshd hangs up after two seconds without an answer.
      config: { ClientAliveInterval: 1, ClientAliveCountMax: 2, LogLevel: 'DEBUG2' },
    });
    const keepaliveInterval = 200;
    const timeouts = { keepaliveInterval, keepaliveCount: 2 };
    const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem), { timeouts }));
    opened.push(connection);
    let ending: string | null = null;
    connection.onClose((why) => (ending = why));
    const leave = new AbortController();
    let arrived = 0;
    const flood = connection.exec({
      argv: ['sh', '-c', 'while :; do head -c 65536 /dev/zero; done'],
      deadlineMs,
      signal: leave.signal,
      whenTooLong: 'keep_newest',
      onStdout: (text) => {
        arrived += text.length;
        return new Promise<void>(() => {});
      },
    });
    flood.catch(() => {});
    await expect.poll(() => arrived, { timeout: 10_000 }).toBeGreaterThan(channelWindowBytes - 1_000);
    const asked = () => sshd.log().split('keepalive@openssh.com').length - 1;
    // Long enough that more of our keepalives were sent than may stay unanswered, and that sshd would give up on its own.
    const before = asked();
    const since = performance.now();
    await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(before + 10);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 4_000 - (performance.now() - since))));
    expect(ending).toBeNull();
    const { stdout } = await connection.exec({ argv: ['echo', 'beside'], deadlineMs });
    expect(stdout).toBe('beside\n');
    leave.abort();
    await expect(flood).rejects.toMatchObject({ failure: { code: 'cancelled', remoteEnded: true } });
  }, 60_000);
});
