import { connect, type OnReadOpts, type Socket } from 'node:net';
import { OpeningError } from '../failures.ts';
import { type DialFailure, whyUnreachable, withoutIpv6 } from './explain-dial.ts';
import { gatherWrites } from './gather-writes.ts';
import { type ReadMemory, readMemory } from './read-in-place.ts';
import { within } from './timeouts.ts';

export type Target = {
  /** An address, or a name. */
  host: string;
  port: number;
  /**
   * Opens the socket in place of node:net: the gate of whoever decides what may be connected to. It resolves a name, once for each
   * opening. It may throw.
   */
  connect?: Dial;
};

export type Dial = (to: { host: string; port: number }, options: DialOptions) => Socket;
type DialOptions = { onread: OnReadOpts; autoSelectFamilyAttemptTimeout: number };

/**
 * How long one address of a name has before the next one is tried. Node's own 250 ms give up a server on the other side of the world,
 * and the last address may be one of a family that this machine cannot send to.
 */
const attemptMs = 3_000;

/** `memory` is what the socket reads into. */
export type Dialled = { socket: Socket; memory: Pick<ReadMemory, 'share'> };

/** A connected TCP socket without Nagle's delay, which costs 40 ms a login. Rejects with `unreachable` or `timeout`. */
export async function dial(
  { host, port, connect: open = throughNet }: Target,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Dialled> {
  const where = `${host} port ${port}`;
  return within(
    timeoutMs,
    signal,
    (stopped) =>
      new Promise<Dialled>((resolve, reject) => {
        const memory = readMemory();
        const options = { onread: memory.onread, autoSelectFamilyAttemptTimeout: attemptMs };
        const socket = open({ host, port }, options);
        socket.setNoDelay(true);
        stopped.addEventListener('abort', () => socket.destroy(), { once: true });
        const onError = (error: DialFailure) => {
          const message = whyUnreachable({ host, port }, error);
          reject(new OpeningError({ code: 'unreachable', message }, error));
        };
        socket.once('error', onError);
        socket.once('connect', () => {
          socket.off('error', onError);
          memory.handTo(socket);
          resolve({ socket: gatherWrites(socket), memory });
        });
      }),
    () =>
      new OpeningError({
        code: 'timeout',
        message: `${where} did not answer in ${timeoutMs} ms.${withoutIpv6(host)}`,
      }),
  );
}

const throughNet: Dial = (to, options) => connect({ ...to, ...options });
