import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Rule } from '@homeport/rules';

/** How an answer's body is changed on its way. */
export type Change =
  | { kind: 'html'; links: boolean; snippet: string | null; coding: Coding }
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
  if (/\b(?:utf-16|utf-32|iso-2022)/.test(type)) return 'charset';
  const coding = readCoding(headers['content-encoding']);
  if (coding === null) return 'coding';
  if (/no-transform/i.test(headers['cache-control'] ?? '')) return 'no_transform';
  if (isCss) return { kind: 'css', coding };
  const snippet =
    rule.injection !== null && !isPart(req.headers) ? encodeSnippet(rule.injection, type) : null;
  if (!rule.strips && snippet === null) return 'rule';
  return { kind: 'html', links: rule.strips, snippet, coding };
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

/** The snippet as the bytes of the page's charset, one character for each byte. */
function encodeSnippet(snippet: string, type: string): string {
  const charset = /charset\s*=\s*"?([a-z0-9_-]+)/.exec(type)?.[1] ?? 'utf-8';
  if (charset === 'utf-8' || charset === 'utf8') return Buffer.from(snippet).toString('latin1');
  return snippet.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`);
}
