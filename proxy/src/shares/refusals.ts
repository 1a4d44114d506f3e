import type { ServerResponse } from 'node:http';
import { answerPlain } from '../visit.ts';
import type { Full } from './share.ts';

const retryAfter = ['retry-after', '5'];

/** What there is too much of. */
type Kind = 'requests' | 'WebSockets';

/** 429 where the visitor can do something about it, 503 where others use the site or the account. */
export function refuse(res: ServerResponse, full: Full, kind: Kind): void {
  const [status, text] =
    full === 'visitor'
      ? [429, `Too many ${kind} from this address are open.`]
      : [503, `Too many ${kind} are open.`];
  answerPlain(res, status, text, { close: kind === 'WebSockets', headers: retryAfter });
}

/** The website answers too slowly: so many requests wait for it that one more would wait in vain. */
export function refuseWaiting(res: ServerResponse, { close = false } = {}): void {
  answerPlain(res, 503, 'Too many requests wait for this website.', { close, headers: retryAfter });
}

const tooMany = 'Too many connections from this address are open.\n';

/** Sent before any request of a connection was read. */
export const tooManyConnections = [
  'HTTP/1.1 429 Too Many Requests',
  'Retry-After: 5',
  'Connection: close',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${tooMany.length}`,
  '',
  tooMany,
].join('\r\n');
