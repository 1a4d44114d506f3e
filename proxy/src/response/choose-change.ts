import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Rule } from '@homeport/rules';
import { charsetOfType, isByteByByte } from './page-charset.ts';

/** How an answer's body is changed on its way. `charset` is null where the headers tell none. */
export type Change =
  | { kind: 'html'; links: boolean; snippet: string | null; charset: string | null; coding: Coding }
  | { kind: 'css'; coding: Coding };
export type Coding = 'identity' | 'gzip' | 'br';

/** Why a page of a rule with a snippet or links passes as it is: for the tester. */
export type Untouched = 'type' | 'status' | 'method' | 'charset' | 'coding' | 'no_transform' | 'rule';

/** Decides whether a body is changed. Only whole pages and stylesheets are, and only those that can be read byte by byte. */
export function chooseChange(
  req: Pick<IncomingMessage, 'method' | 'headers'>,
  rule: Rule,
  status: number,
  headers: IncomingHttpHeaders,
): Change | Untouched {
  if (!rule.strips && rule.injection === null) return 'rule';
  const type = (headers['content-type'] ?? '').toLowerCase();
  const isHtml = /^\s*text\/html\s*(?:;|$)/.test(type);
  const isCss = rule.strips && /^\s*text\/css\s*(?:;|$)/.test(type);
  if (!isHtml && !isCss) return 'type';
  if (status === 204 || status === 206 || status === 304 || status < 200) return 'status';
  const charset = charsetOfType(type);
  if (charset !== null && !isByteByByte(charset)) return 'charset';
  const coding = readCoding(headers['content-encoding']);
  if (coding === null) return 'coding';
  if (/no-transform/i.test(headers['cache-control'] ?? '')) return 'no_transform';
  if (isCss) return { kind: 'css', coding };
  const snippet = isPart(req.headers) ? null : rule.injection;
  if (!rule.strips && snippet === null) return 'rule';
  return { kind: 'html', links: rule.strips, snippet, charset, coding };
}

/** Requests that say they want a part of a page, which a script will put into a page that has the snippet. */
export function isPart(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-dest'] === 'empty' ||
    headers['x-requested-with'] !== undefined ||
    headers['hx-request'] !== undefined ||
    headers['turbo-frame'] !== undefined
  );
}

function readCoding(value: string | undefined): Coding | null {
  const coding = (value ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return 'identity';
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  return coding === 'br' ? 'br' : null;
}
