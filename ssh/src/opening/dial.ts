import { connect, type Socket } from 'node:net';
import { OpeningError } from '../failures.ts';
import { whyUnreachable, withoutIpv6 } from './explain-dial.ts';
import { gatherWrites } from './gather-writes.ts';
import { type ReadMemory, readMemory } from './read-in-place.ts';
import { within } from './timeouts.ts';

export type Target = { host: string; port: number };

/** `memory` is what the socket reads into. */
export type Dialled = { socket: Socket; memory: Pick<ReadMemory, 'share'> };

/** A connected TCP socket without Nagle's delay, which costs 40 ms a login. Rejects with `unreachable` or `timeout`. */
export async function dial(target: Target, timeoutMs: number, signal: AbortSignal): Promise<Dialled> {
  const where = `${target.host} port ${target.port}`;
  return within(
    timeoutMs,
    signal,
    (stopped) =>
      new Promise<Dialled>((resolve, reject) => {
        const memory = readMemory();
        const socket = connect({ ...target, onread: memory.onread });
        socket.setNoDelay(true);
        stopped.addEventListener('abort', () => socket.destroy(), { once: true });
        const onError = (error: NodeJS.ErrnoException) => {
          const message = whyUnreachable(target, error.code);
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
        message: `${where} did not answer in ${timeoutMs} ms.${withoutIpv6(target.host)}`,
      }),
  );
}
