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
 * Names are in lower case.
 *
 * @param mark of a body that is changed on its way, for its ETag; null for one that passes
 */
export function responseHeaders(headers: FlatHeaders, place: Place, mark: string | null): FlatHeaders {
  const out: FlatHeaders = [];
  const dropped = namedByConnection(valuesOf(headers, 'connection'));
  const isSource = place.rule.id === sourceRuleId;
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    if (isHopByHop(name) || never.has(name) || dropped.has(name)) continue;
    if (fromSourceOnly.has(name) && !isSource) continue;
    if (mark !== null && ofTheBody.has(name)) continue;
    out.push(name, publicValue(name, value, place, mark));
  }
  return out;
}

/** A visitor would wait for a body that a 204 has not (RFC 9110, 8.6). */
export function headersOfStatus(status: number, headers: FlatHeaders): FlatHeaders {
  if (status !== 204) return headers;
  return headers.filter((_text, index) => headers[index - (index % 2)] !== 'content-length');
}

function valuesOf(headers: FlatHeaders, wanted: string): string | undefined {
  const found = headers.filter((_value, index) => index % 2 === 1 && headers[index - 1] === wanted);
  return found.length === 0 ? undefined : found.join(',');
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
