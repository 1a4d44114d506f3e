import type { Socket } from 'node:net';
import ssh2, { type AuthHandlerMiddleware, type Client } from 'ssh2';
import { OpeningError } from './failures.ts';
import { hostKeyAlgorithms } from './host-key.ts';
import { type KexReply, tapKexReply } from './kex-tap.ts';
import type { Timeouts } from './timeouts.ts';

export type HandshakeOptions = {
  socket: Socket;
  username: string;
  /** The key type the server is known by, offered first. */
  hostKeyType?: string;
  readyTimeoutMs: number;
  timeouts: Timeouts;
  signal: AbortSignal;
  /** A comparison, never a question: ssh2 asks at every rekey, and before it has checked the server's signature. */
  acceptsHostKey(hostKey: Buffer): boolean;
  /** The login, begun once the server has proven that it holds the host key. */
  authenticate(handshake: RunningHandshake): AuthHandlerMiddleware;
  /** Puts the first error that ssh2 reports into words; later ones are its echoes. */
  explain(error: Error & { level?: string }): OpeningError;
};

export type RunningHandshake = {
  kexReply(): KexReply | null;
  /** Ends the handshake with this reason. */
  fail(error: OpeningError): void;
};

/** Runs one handshake to `ready`. On any failure the socket is gone before the promise rejects with an `OpeningError`. */
export function handshake(options: HandshakeOptions): Promise<Client> {
  const { socket, signal } = options;
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

    // Stays for the client's whole life: an `error` event without a listener would end the process.
    client.on('error', (error) => fail(options.explain(error)));
    client.on('close', () => {
      const message = 'The server closed the connection before the login was complete.';
      fail(new OpeningError({ code: 'unreachable', message }));
    });
    client.on('ready', () => {
      settle();
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
      algorithms: { serverHostKey: hostKeyAlgorithms(options.hostKeyType) },
      hostVerifier: (hostKey: Buffer) => options.acceptsHostKey(hostKey),
      authHandler: options.authenticate({ kexReply: () => tap?.reply() ?? null, fail }),
    });
    tap = tapKexReply(socket);
  });
}

/** The reason an abort carries, where it is one of ours; else the page that asked is gone. */
export function openingErrorOf(reason: unknown): OpeningError {
  if (reason instanceof OpeningError) return reason;
  return new OpeningError({ code: 'agent_gone', message: 'The opening was given up.' }, reason);
}
