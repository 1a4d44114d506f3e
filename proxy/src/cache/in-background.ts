import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Visit } from '../visit.ts';

/**
 * The same visit for nobody: what is written goes nowhere. An old answer was given to the visitor already, and the new one is only
 * for the cache.
 *
 * @param ended called when the new answer is over, whole or not
 */
export function inBackground(visit: Visit, ended: () => void): Visit {
  const res = new ServerResponse(visit.req);
  const socket = new Nowhere();
  res.assignSocket(socket);
  res.once('finish', () => socket.destroy());
  res.once('close', ended);
  return {
    ...visit,
    res,
    seen: { startedAt: performance.now(), headAt: null, bytes: 0, isHit: false },
    handOver: () => () => undefined,
  };
}

/** A socket that takes everything and is connected to nothing. */
class Nowhere extends Socket {
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
  override _writev(_chunks: unknown, done: () => void): void {
    done();
  }
}
