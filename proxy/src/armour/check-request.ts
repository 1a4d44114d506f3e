import type { IncomingMessage } from 'node:http';
import type { PlaneLimits } from '../limits.ts';

export type Refusal = { status: number; text: string; close: boolean; headers?: readonly string[] };
/** What a request asks for. `host` is the Host header; `url` is path and query. */
export type Asked = { host: string; url: string };

const allowed = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Judges a request's head before anything is matched. Node's parser has refused most of what is malformed; this closes what it lets
 * pass: other codings than chunked, HTTP/2.0 in a request line, several hosts, headers beyond a count, and a length that a number does
 * not hold exactly.
 */
export function checkRequest(req: IncomingMessage, limits: PlaneLimits): Asked | Refusal {
  const { httpVersion, rawHeaders, headers, method = '', url = '' } = req;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return refuse(505, 'This HTTP version is not supported.');
  if (rawHeaders.length / 2 > limits.headers) return refuse(431, 'The request has too many headers.');
  if (url.length > limits.urlBytes) return refuse(414, 'The address is too long.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (httpVersion === '1.0') return refuse(400, 'Transfer-Encoding does not belong to HTTP/1.0.');
    if (coding.toLowerCase() !== 'chunked')
      return refuse(501, 'Only the transfer coding "chunked" is supported.');
  }
  if (Number(headers['content-length'] ?? 0) > Number.MAX_SAFE_INTEGER)
    return refuse(413, 'The body is too large.');
  if (method === 'TRACE' || method === 'CONNECT')
    return { status: 405, text: 'This method is not allowed.', close: true, headers: ['allow', allowed] };
  const host = onlyHost(rawHeaders);
  if (host === null) return refuse(400, 'The request needs exactly one Host.');
  if (url === '*')
    return method === 'OPTIONS'
      ? { status: 204, text: '', close: false, headers: ['allow', allowed] }
      : refuse(400, 'This address is not valid.');
  return readAddress(url, host);
}

function refuse(status: number, text: string): Refusal {
  return { status, text, close: true };
}

const hostCharacters = /^[A-Za-z0-9._-]+(?::[0-9]*)?$|^\[[0-9A-Fa-f:.]+\](?::[0-9]*)?$/;

/** Node keeps the first of several hosts, so they are counted where all of them still stand. */
function onlyHost(rawHeaders: readonly string[]): string | null {
  let found: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (found !== null) return null;
    found = rawHeaders[index + 1] ?? '';
  }
  return found !== null && found.length <= 260 && hostCharacters.test(found) ? found : null;
}

/** The absolute form names a host of its own, which has to be the Host. */
function readAddress(url: string, host: string): Asked | Refusal {
  if (url.startsWith('/')) return { host, url };
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined) return refuse(400, 'This address is not valid.');
  const rest = url.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  if (authority.toLowerCase() !== host.toLowerCase())
    return refuse(400, 'The address names another host than Host.');
  const path = end < 0 ? '' : rest.slice(end);
  return { host, url: path.startsWith('/') ? path : `/${path}` };
}
