import type { IncomingMessage } from 'node:http';
import type { Rule } from '@homeport/rules';
import {
  isBelieved,
  isForwarding,
  isHopByHop,
  namedByConnection,
  saysAddress,
  saysMethod,
  spelled,
} from '../armour/hop-names.ts';
import { plainHost } from '../armour/plain-host.ts';
import type { Visit } from '../visit.ts';

/** The changes that this plane will make to the upstream's answer, as far as the request shows them. */
export type Tagging = {
  /** The mark in the ETags of this rule's changed answers; null for a rule that changes none. */
  mark: string | null;
};

/**
 * The headers for the upstream, as names and values in turn, without what frames the body. The visitor's own end-to-end headers keep
 * their order; what says who asks is the plane's.
 *
 * @param id names this plane in Via and CDN-Loop: `homeport-3f2a`
 */
export function requestHeaders(visit: Visit, id: string, { mark }: Tagging): string[] {
  const { req, resolved } = visit;
  const { rule } = resolved;
  const out = ['host', rule.target.host];
  const dropped = namedByConnection(req.headers.connection);
  const marked = mark === null ? null : { mark, isPage: asksForPage(req) };
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index] ?? '';
    const told = req.rawHeaders[index + 1] ?? '';
    const plain = spelled(name.toLowerCase());
    const isLie = saysAddress(plain) && told !== visit.address;
    const value = isLie ? null : changedValue(plain, name, told, dropped, marked);
    if (value !== null) out.push(name, value);
  }
  out.push('x-forwarded-for', visit.forwardedFor, 'x-forwarded-proto', visit.proto);
  const forwardedHost = forwardedHostOf(visit);
  out.push('x-forwarded-host', forwardedHost);
  if (rule.strips) out.push('x-forwarded-prefix', rule.base);
  out.push('forwarded', `for=${forwardedNode(visit.address)};host="${forwardedHost}";proto=${visit.proto}`);
  out.push(
    'via',
    appended(req.headers.via, `${req.httpVersion} ${id}`),
    'cdn-loop',
    appended(req.headers['cdn-loop'], id),
  );
  if (wantsTrailers(req)) out.push('te', 'trailers');
  return out;
}

/** The host that the upstream is told: the rule's own, else what a trusted front says, else what the visitor asked for. */
export function forwardedHostOf({ req, resolved, isTrustedPeer, host, proto }: Visit): string {
  const told = isTrustedPeer ? req.headers['x-forwarded-host'] : undefined;
  const isToldHost = typeof told === 'string' && isHost(told);
  return resolved.rule.xForwardedHost ?? (isToldHost ? plainHost(told, proto) : host);
}

/** True when the visitor takes trailers. HTTP/1.0 has none. */
export function wantsTrailers(req: IncomingMessage): boolean {
  if (req.httpVersion !== '1.1') return false;
  return String(req.headers.te ?? '')
    .split(',')
    .some((part) => part.trim().toLowerCase() === 'trailers');
}

/** How often this plane's mark stands in CDN-Loop (RFC 8586). */
export function countLoops(req: IncomingMessage, id: string): number {
  const value = req.headers['cdn-loop'];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text === '' ? 0 : text.split(',').filter((part) => part.split(';', 1)[0]?.trim() === id).length;
}

/** The rule changes pages: it has a snippet, or its links need the base. */
export function changesPages(rule: Rule): boolean {
  return rule.strips || rule.injection !== null;
}

/** The visitor holds a page that was changed as this mark says. */
export function asksByMark({ headers }: IncomingMessage, mark: string | null): boolean {
  return mark !== null && (headers['if-none-match'] ?? '').includes(`-hp${mark}"`);
}

/** What the rule's changed answers are known by. `isPage`: the visitor wants a page, which is what the rule changes. */
type Marked = { mark: string; isPage: boolean };

/** A browser that opens a page names its type, and names it for nothing else. */
function asksForPage({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /text\/html/i.test(headers.accept ?? '');
}

function changedValue(
  spelledName: string,
  name: string,
  value: string,
  dropped: ReadonlySet<string>,
  marked: Marked | null,
): string | null {
  if (spelledName === 'host' || spelledName === 'via' || spelledName === 'cdn-loop') return null;
  // The connection says where the body ends. The visitor's own word, or `Connection: Content-Length`, could say something else.
  if (isBelieved(spelledName) || spelledName === 'content-length') return null;
  // The cache knows the plain spelling only, and no program needs another one.
  if (saysMethod(spelledName) && name.includes('_')) return null;
  if (isHopByHop(spelledName) || isForwarding(spelledName) || dropped.has(name.toLowerCase())) return null;
  if (marked === null) return value;
  if (spelledName === 'accept-encoding') return readableCodings(value);
  // A changed page has no date.
  if (spelledName === 'if-modified-since' && marked.isPage) return null;
  return spelledName === 'if-none-match' ? withoutMark(value, marked) : value;
}

/** Codings that a changed page can be read from. Scripts and styles stay compressed. */
function readableCodings(value: string): string {
  const kept = value.split(',').filter((part) => /^\s*(?:gzip|br|identity)\s*(?:;|$)/i.test(part));
  return kept.length > 0 ? kept.join(',').trim() : 'identity';
}

/**
 * Takes this rule's mark from the tags, so that the upstream knows its own. A tag with another mark is of an older page, and a page
 * without a mark is older than the rule's changes.
 */
function withoutMark(value: string, { mark, isPage }: Marked): string | null {
  const own = `-hp${mark}"`;
  const kept = value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag.endsWith(own) || !(isPage || /-hp[0-9a-f]{8}"$/.test(tag)))
    .map((tag) => tag.replace(own, '"'));
  return kept.length > 0 ? kept.join(', ') : null;
}

function isHost(text: string): boolean {
  return text.length <= 260 && /^[A-Za-z0-9._:[\]-]+$/.test(text);
}

function forwardedNode(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}

function appended(value: string | string[] | undefined, own: string): string {
  const before = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return before === '' ? own : `${before}, ${own}`;
}
