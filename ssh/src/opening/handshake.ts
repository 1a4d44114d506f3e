import { once } from 'node:events';
import ssh2, { type Algorithms, type AuthHandlerMiddleware, type Client } from 'ssh2';
import { OpeningError } from '../failures.ts';
import type { Dialled } from './dial.ts';
import { hostKeyAlgorithms } from './host-key.ts';
import { type KexReply, tapKexReply } from './kex-tap.ts';
import { limitInbound } from './limit-inbound.ts';
import { PacketPace, pacePackets } from './packet-pace.ts';
import { protocolOf, type Ssh2Protocol, windowOf } from './ssh2-protocol.ts';
import type { Timeouts } from './timeouts.ts';
import { writeInPlace } from './write-in-place.ts';

export type HandshakeOptions = {
  dialled: Dialled;
  username: string;
  /** The type of the pinned host key. It is offered first. */
  hostKeyType?: string;
  readyTimeoutMs: number;
  timeouts: Timeouts;
  /** Default: one of this connection alone. */
  pace?: PacketPace;
  signal: AbortSignal;
  /** Must be a comparison, never a question to a person: ssh2 calls it at every rekey, before it checks the server's signature. */
  acceptsHostKey(hostKey: Buffer): boolean;
  /** The login. It begins once the server has proven that it holds the host key. */
  authenticate(handshake: RunningHandshake): AuthHandlerMiddleware;
  /** Explains the first error that ssh2 reports. Later errors only repeat the first. */
  explain(error: Error & { level?: string }): OpeningError;
};

export type RunningHandshake = {
  kexReply(): KexReply | null;
  /** True when the server announced host-bound signatures (OpenSSH's PROTOCOL, section 3.2). */
  takesHostBound(): boolean;
  /** ssh2's own protocol object, once the login has begun. */
  protocol(): Ssh2Protocol;
  /** Resolves when no key exchange is under way: a packet is then encrypted and sent at once. */
  keysSettled(): Promise<void>;
  /** Ends the handshake with this reason. */
  fail(error: OpeningError): void;
};

/** Runs one handshake to `ready`. On any failure the socket is gone before the promise rejects with an `OpeningError`. */
export function handshake(options: HandshakeOptions): Promise<Client> {
  const { signal } = options;
  const { socket, memory } = options.dialled;
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    const settle = () => {
      signal.removeEventListener('abort', onAbort);
      tap?.detach();
    };
    const fail = (error: OpeningError) => {
      settle();
      client.destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(openingErrorOf(signal.reason));
    let tap: ReturnType<typeof tapKexReply> | null = null;
    let protocol: Ssh2Protocol | null = null;
    let limits: ReturnType<typeof limitInbound> | null = null;
    let extensions: ReadonlyMap<string, string> = new Map();
    const running: RunningHandshake = {
      kexReply: () => tap?.reply() ?? null,
      takesHostBound: () => extensions.get('publickey-hostbound@openssh.com') === '0',
      protocol: () => protocol ?? protocolOf(client),
      async keysSettled() {
        while (running.protocol()._kexinit !== undefined) await once(client, 'handshake', { signal });
      },
      fail,
    };

    // Stays for the client's whole life: an `error` event without a listener would end the process.
    client.on('error', (error) => fail(options.explain(error)));
    client.on('close', () => {
      const message = 'The server closed the connection before the login was complete.';
      fail(new OpeningError({ code: 'unreachable', message }));
    });
    // RFC 4252, section 8. ssh2 emits the server's question for a new password as an event and waits for an answer.
    client.on('change password', () => {
      const message =
        'The server wants the password changed before it lets anybody in. Log in with ssh, change the password, then try again.';
      fail(new OpeningError({ code: 'password_refused', message }));
    });
    // ssh2 keeps bytes of a handshake, and of a packet under ChaCha20 until its tag is there. Otherwise it copies what it keeps.
    client.on('handshake', ({ cs, sc }) => {
      memory.share(!sc.cipher.startsWith('chacha20'));
      writeInPlace(running.protocol(), cs.cipher);
    });
    client.on('ready', () => {
      settle();
      limits?.loggedIn();
      resolve(client);
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });

    client.connect({
      sock: socket,
      username: options.username,
      readyTimeout: options.readyTimeoutMs,
      keepaliveInterval: options.timeouts.keepaliveInterval,
      keepaliveCountMax: options.timeouts.keepaliveCount,
      algorithms: { ...algorithms, serverHostKey: hostKeyAlgorithms(options.hostKeyType) },
      hostVerifier: (hostKey: Buffer) => options.acceptsHostKey(hostKey),
      authHandler: options.authenticate(running),
    });
    protocol = protocolOf(client);
    limits = limitInbound(protocol, {
      unread: () => socket.writableLength,
      windowOf: (channel) => windowOf(client, channel),
      onExtensions: (announced) => {
        extensions = announced;
      },
      onPacket: pacePackets(socket, options.pace ?? new PacketPace()),
    });
    tap = tapKexReply(socket, () => {
      const message =
        'The program at this address sends too much before the key exchange: it is no SSH server.';
      fail(new OpeningError({ code: 'unreachable', message }));
    });
  });
}

/**
 * The algorithms that we offer, best first. Left out on purpose:
 * - group exchange (RFC 4419), because the server chooses the prime: checking a prime of 4,096 bits blocks this process for
 *   seconds; and fixed groups over 4,096 bits;
 * - compression, because a few compressed bytes unpack to any amount of memory;
 * - everything that uses SHA-1, MD5, CBC or RC4.
 */
const algorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    'chacha20-poly1305@openssh.com',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
};

/** The reason of an abort if it is an `OpeningError`; otherwise the page that asked has left. */
export function openingErrorOf(reason: unknown): OpeningError {
  if (reason instanceof OpeningError) return reason;
  return new OpeningError({ code: 'agent_gone', message: 'The opening was given up.' }, reason);
}
