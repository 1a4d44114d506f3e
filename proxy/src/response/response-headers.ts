import type { IncomingHttpHeaders } from 'node:http';
import { type Rule, type Site, sourceRuleId, toPublic } from '@homeport/rules';
import { isHopByHop, namedByConnection } from '../armour/hop-names.ts';
import { publicCookie } from './public-cookie.ts';

/** The place of an answer: the rule that took the request, and scheme and host as the visitor sees them. */
export type Place = { site: Site; rule: Rule; origin: string };

/** Headers as names and values in turn, as `writeHead` takes them. */
export type FlatHeaders = string[];

/** They act on all connections to the host, or on the whole domain, which is not the upstream's. */
const never: ReadonlySet<string> = new Set(['alt-svc', 'public-key-pins', 'public-key-pins-report-only']);
const fromSourceOnly: ReadonlySet<string> = new Set(['clear-site-data', 'strict-transport-security']);
/** They describe bytes that a changed body has no more. */
const ofTheBody: ReadonlySet<string> = new Set([
  ...[
    'content-length',
    'accept-ranges',
    'content-md5',
    'digest',
    'content-digest',
    'repr-digest',
    'last-modified',
  ],
  'content-encoding',
]);

/**
 * The headers of an upstream's answer for the visitor: nothing of the connection, and every address as the merged domain has it.
 *
 * @param mark of a body that is changed on its way, for its ETag; null for one that passes
 */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  place: Place,
  mark: string | null,
): FlatHeaders {
  const out: FlatHeaders = [];
  const connection = headers.connection;
  const dropped = namedByConnection(connection);
  const isSource = place.rule.id === sourceRuleId;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isHopByHop(name) || never.has(name) || dropped.has(name)) continue;
    if (fromSourceOnly.has(name) && !isSource) continue;
    if (mark !== null && ofTheBody.has(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      const changed = publicValue(name, one, place, mark);
      if (isHeaderText(changed)) out.push(name, changed);
    }
  }
  return out;
}

function publicValue(name: string, value: string, place: Place, mark: string | null): string {
  switch (name) {
    case 'location':
    case 'content-location':
    case 'service-worker-allowed':
      return publicUrl(value, place);
    case 'set-cookie':
      return publicCookie(value, place.rule);
    case 'link':
      return value.replace(/<([^<>]*)>/g, (_whole, url: string) => `<${publicUrl(url, place)}>`);
    case 'refresh':
      return publicRefresh(value, place);
    case 'access-control-allow-origin':
      return value === `${place.rule.target.protocol}//${place.rule.target.host}` ? place.origin : value;
    case 'etag':
      return mark === null ? value : markedTag(value, mark);
    default:
      return value;
  }
}

function publicUrl(url: string, { site, rule, origin }: Place): string {
  return toPublic(site, rule, url, origin);
}

/** `5; url=/next`, in a header or in a page's meta element. */
export function publicRefresh(value: string, place: Place): string {
  const found = /^[\s0-9.]*[;,]\s*url\s*=\s*['"]?/i.exec(value);
  if (!found) return value;
  const begin = found[0].length;
  const quote = /['"]$/.exec(found[0])?.[0];
  const end = quote === undefined ? value.length : value.indexOf(quote, begin);
  const url = value.slice(begin, end < 0 ? value.length : end);
  return value.slice(0, begin) + publicUrl(url, place) + value.slice(begin + url.length);
}

/** A changed body is equal in meaning only, so its tag is weak, and it names what the body was changed by. */
function markedTag(tag: string, mark: string): string {
  const found = /^(?:W\/)?"([^"]*)"$/.exec(tag);
  return found ? `W/"${found[1]}-hp${mark}"` : tag;
}

/** `writeHead` throws for other characters, and then the visitor would get an empty answer. */
function isHeaderText(value: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value);
}
