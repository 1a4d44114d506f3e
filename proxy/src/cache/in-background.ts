import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Visit } from '../visit.ts';
import type { CachedAnswer } from './entry-store.ts';

/** What the plane asks with when it asks for itself: what kind of answer is kept, which part of a page, and the way so far. */
const ownNames: ReadonlySet<string> = new Set([
  ...['host', 'user-agent', 'accept', 'accept-encoding', 'accept-language'],
  ...['sec-fetch-dest', 'x-requested-with', 'hx-request', 'turbo-frame', 'via', 'cdn-loop'],
]);
const ofPersons: readonly string[] = ['cookie', 'authorization'];

/** Whether the plane can ask for this answer anew without saying who a visitor is. */
export function canBeAskedForNobody({ vary }: CachedAnswer): boolean {
  return !vary.names.some((name) => ofPersons.includes(name));
}

/**
 * The same visit for nobody: what is written goes nowhere. An old answer was given to the visitor already, and the new one is only
 * for the cache. So nothing of the visitor's request goes along but what decides which answer this is: no cookie, no Authorization,
 * and no header of the website's own in which a credential may stand.
 *
 * @param old the answer that is asked for anew
 * @param ended called when the new answer is over, whole or not
 */
export function inBackground(visit: Visit, old: CachedAnswer, ended: () => void): Visit {
  const req = ofNobody(visit.req, new Set([...ownNames, ...old.vary.names]));
  const res = new ServerResponse(req);
  const socket = new Nowhere();
  res.assignSocket(socket);
  res.once('finish', () => socket.destroy());
  res.once('close', ended);
  return {
    ...visit,
    req,
    res,
    seen: { startedAt: performance.now(), headAt: null, bytes: 0, isHit: false },
    handOver: () => () => undefined,
  };
}

/** The same question with these headers only. */
function ofNobody(asked: IncomingMessage, names: ReadonlySet<string>): IncomingMessage {
  const req = new IncomingMessage(asked.socket);
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor } = asked;
  Object.assign(req, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, complete: true });
  req.rawHeaders = asked.rawHeaders.filter((_text, index) =>
    names.has((asked.rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
  req.headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => names.has(name)));
  return req;
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
