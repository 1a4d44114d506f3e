import { createHash, randomBytes } from 'node:crypto';
import type { Connection as ServerConnection } from 'ssh2';
import { describe, expect, it } from 'vitest';
import {
  keyLogin,
  makeKey,
  offering,
  packetOf,
  signerFor,
  startOlderServer,
  startRawServer,
  startSshd,
} from '../../testing/index.ts';
import { OpeningError, openConnection } from '../index.ts';
import { protocolOf, sendPayload } from './ssh2-protocol.ts';
import { wireString, wireUint32 } from './wire.ts';

const key = makeKey('ed25519');
const identification = Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n');
const somePin = `SHA256:${createHash('sha256').digest('base64').slice(0, 43)}`;

type Target = { host: string; port: number; hostKeyFingerprint?: string };
const open = ({ host, port, hostKeyFingerprint = somePin }: Target, asks?: () => Promise<string[]>) =>
  openConnection({
    host,
    port,
    username: 'ines',
    pinnedHostKey: hostKeyFingerprint,
    plainAllowed: true,
    credential: asks
      ? {
          method: 'password',
          prompter: { password: () => Promise.reject(new Error('not asked')), interactive: asks },
        }
      : { method: 'agent', signer: signerFor(key.privateKeyPem) },
  });

const failureOf = async (opening: Promise<unknown>) => {
  const error: unknown = await opening.then(
    () => 'it opened',
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpeningError)) throw new Error(`Not an opening failure: ${String(error)}`);
  return error.failure;
};

describe('a server that negotiates expensive algorithms', () => {
  it('gets no group exchange, so nobody computes with its prime of 10,000 bits', async () => {
    const prime = Buffer.concat([Buffer.of(0), randomBytes(1_250)]);
    prime[1] = 0xff;
    const group = packetOf(Buffer.concat([Buffer.of(31), wireString(prime), wireString(Buffer.of(2))]));
    let asked = false;
    await using server = await startRawServer((socket) => {
      socket.write(identification);
      socket.write(packetOf(offering({ kex: 'diffie-hellman-group-exchange-sha256' })));
      socket.on('data', (data: Buffer) => {
        // SSH_MSG_KEX_DH_GEX_REQUEST (RFC 4419, section 5).
        if (data.indexOf(Buffer.of(34)) < 0 || data.length > 64) return;
        asked = true;
        socket.write(group);
      });
    });
    const failure = await failureOf(open(server));
    expect(failure.code).toBe('algorithm_refused');
    expect(failure.message).toContain('KexAlgorithms');
    expect(asked).toBe(false);
  });

  it.each([
    [{ compress: 'zlib@openssh.com,zlib' }, 'Compression no'],
    [{ kex: 'diffie-hellman-group18-sha512' }, 'KexAlgorithms'],
    [{ kex: 'diffie-hellman-group14-sha1,diffie-hellman-group1-sha1' }, 'KexAlgorithms'],
    [{ cipher: 'aes256-cbc,3des-cbc' }, 'Ciphers'],
    [{ mac: 'hmac-sha1,hmac-md5' }, 'MACs'],
  ])('is refused with the line to change on the server: %j', async (lists, remedy) => {
    await using server = await startRawServer((socket) => {
      socket.write(Buffer.concat([identification, packetOf(offering(lists))]));
    });
    const failure = await failureOf(open(server));
    expect(failure).toMatchObject({ code: 'algorithm_refused', message: expect.stringContaining(remedy) });
  });

  it('gets a connection without compression where it offers both', async () => {
    await using sshd = await startSshd({
      authorizedKeys: [key.publicKeyLine],
      config: { Compression: 'yes' },
    });
    const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem)));
    const { stdout } = await connection.exec({ argv: ['echo', 'plain'], deadlineMs: 10_000 });
    connection.close();
    expect(stdout).toBe('plain\n');
  });
});

describe('a server that sends without end before the key exchange', () => {
  it.each<[string, (write: (bytes: Buffer) => void) => void]>([
    ['lines before its identification', (write) => write(Buffer.from('welcome\r\n'))],
    ['messages to be ignored', (write) => write(packetOf(Buffer.concat([Buffer.of(2), wireString('x')])))],
  ])('is disconnected: %s', async (what, speak) => {
    await using server = await startRawServer((socket) => {
      if (!what.startsWith('lines')) socket.write(Buffer.concat([identification, packetOf(offering({}))]));
      const timer = setInterval(() => {
        for (let n = 0; n < 1_000; n += 1) speak((bytes) => socket.write(bytes));
      }, 1);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await failureOf(open(server))).toMatchObject({ code: 'unreachable' });
  });

  it('is disconnected for a negotiation of 20 kB', async () => {
    await using server = await startRawServer((socket) => {
      const names = Array.from({ length: 4_000 }, (_, n) => `k${n}`).join(',');
      socket.write(Buffer.concat([identification, packetOf(offering({ kex: names }))]));
    });
    const failure = await failureOf(open(server));
    expect(failure.message).toContain('negotiates keys without end');
  });
});

/** Sends the bytes unchanged as a packet on the encrypted connection of an ssh2 server. */
const say = (client: ServerConnection, ...parts: Buffer[]) => sendPayload(protocolOf(client), parts);

/** An endless stream of packets, as fast as the other end takes them. */
const flood = (client: ServerConnection, send: () => void) => {
  const timer = setInterval(() => {
    for (let n = 0; n < 100; n += 1) send();
  }, 1);
  client.on('close', () => clearInterval(timer));
};

describe('a server that sends without end during the login', () => {
  it.each<[string, (client: ServerConnection) => void, string]>([
    [
      'messages to be ignored',
      (client) => flood(client, () => say(client, Buffer.of(2), wireString('x'))),
      'more than a login takes',
    ],
    [
      'banners',
      (client) =>
        flood(client, () => say(client, Buffer.of(53), wireString('b'.repeat(30_000)), wireString(''))),
      'more than a login takes',
    ],
    [
      'thousands of extensions',
      (client) => {
        const extensions = Array.from({ length: 2_000 }, (_, n) => [
          wireString(`e${n}`),
          wireString('1'),
        ]).flat();
        say(client, Buffer.of(7), wireUint32(2_000), ...extensions);
      },
      'too many extensions',
    ],
  ])('is disconnected: %s', async (_what, attack, words) => {
    await using server = await startOlderServer({
      authorizedKey: key.publicKeyLine,
      onClient: (client) => client.once('handshake', () => setImmediate(() => attack(client))),
    });
    // Nobody signs, so the server has all the time for its attack.
    const signer = { ...signerFor(key.privateKeyPem), sign: () => new Promise<Buffer>(() => {}) };
    const { host, port, hostKeyFingerprint: pinnedHostKey } = server;
    const credential = { method: 'agent', signer } as const;
    const login = { host, port, username: 'ines', pinnedHostKey, credential, plainAllowed: true };
    const failure = await failureOf(openConnection(login));
    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining(words) });
  });

  const questions = (count: number, ...prompts: Buffer[]) => [
    Buffer.of(60),
    wireString('name'),
    wireString('instructions'),
    wireString(''),
    wireUint32(count),
    ...prompts,
  ];
  const questioner = (ask: (client: ServerConnection) => void) =>
    startOlderServer({
      authorizedKey: key.publicKeyLine,
      onLogin: (context, client) => {
        if (context.method === 'none') context.reject(['keyboard-interactive']);
        else ask(client);
      },
    });

  it('is disconnected for 30,000,000 questions, and no memory is taken for them', async () => {
    await using server = await questioner((client) => void say(client, ...questions(30_000_000)));
    const before = process.memoryUsage().rss;
    const failure = await failureOf(open(server, () => Promise.resolve([])));
    expect(failure.message).toContain('more questions than a login takes');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('is disconnected for rounds of no question, which ssh2 answers by itself', async () => {
    await using server = await questioner((client) => flood(client, () => say(client, ...questions(0))));
    const failure = await failureOf(open(server, () => Promise.resolve([])));
    expect(failure.message).toContain('more questions than a login takes');
  });

  it('is disconnected for a question of 20 kB, which nobody sees', async () => {
    const long = [wireString('?'.repeat(20_000)), Buffer.of(1)];
    await using server = await questioner((client) => void say(client, ...questions(1, ...long)));
    let shown = false;
    const failure = await failureOf(
      open(server, async () => {
        shown = true;
        return ['yes'];
      }),
    );
    expect(failure).toMatchObject({ code: 'password_refused' });
    expect(shown).toBe(false);
  });
});
