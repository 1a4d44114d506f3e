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
  const charset = charsetOf(type);
  if (notByteByByte.has(charset)) return 'charset';
  const coding = readCoding(headers['content-encoding']);
  if (coding === null) return 'coding';
  if (/no-transform/i.test(headers['cache-control'] ?? '')) return 'no_transform';
  if (isCss) return { kind: 'css', coding };
  const snippet =
    rule.injection !== null && !isPart(req.headers) ? encodeSnippet(rule.injection, charset) : null;
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

/**
 * The labels of charsets whose bytes below 0x80 are not always ASCII (WHATWG Encoding Standard, "Names and labels": UTF-16, ISO-2022-JP
 * and those of the replacement decoder), and of two that no browser reads.
 */
const notByteByByte: ReadonlySet<string> = new Set([
  ...['utf-16', 'utf-16le', 'utf-16be', 'ucs-2', 'iso-10646-ucs-2'],
  ...['unicode', 'csunicode', 'unicodefeff', 'unicodefffe'],
  ...['iso-2022-jp', 'csiso2022jp', 'iso-2022-kr', 'csiso2022kr', 'iso-2022-cn', 'iso-2022-cn-ext'],
  ...['hz-gb-2312', 'replacement', 'utf-32', 'utf-32le', 'utf-32be', 'utf-7'],
]);

const charsetOf = (type: string) => /charset\s*=\s*["']?([\w-]+)/.exec(type)?.[1] ?? 'utf-8';

/** The snippet as the bytes of the page's charset, one character for each byte. */
function encodeSnippet(snippet: string, charset: string): string {
  if (charset === 'utf-8' || charset === 'utf8') return Buffer.from(snippet).toString('latin1');
  return snippet.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`);
}
