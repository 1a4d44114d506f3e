import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import CachePolicy from 'http-cache-semantics';
import { ownerOf } from '../armour/hop-names.ts';

/** How long an answer may be given to others, or why it may not be kept. Times are in seconds. */
export type Freshness =
  | {
      freshFor: number;
      age: number;
      varyOn: string[];
      isPublic: boolean;
      /** So long after its lifetime it may be given while it is fetched anew, and when fetching fails (RFC 5861). */
      staleWhileRevalidate: number;
      staleIfError: number;
    }
  | 'not_storable';

type Asked = Pick<IncomingMessage, 'method' | 'headers'>;

/** Whether a request may be one of a person: its answer is for nobody else, unless the website says that it is for everybody. */
export function isOfSomebody({ authorization, cookie }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || cookie !== undefined;
}

/** Longer than any lifetime: an Age that nobody can read. */
const tooOld = '2147483648';

/**
 * Decides by RFC 9111 whether a shared cache may keep an answer. Only what the upstream says counts; nothing is guessed from a
 * Last-Modified. `http-cache-semantics` decides; what it reads too kindly is made plain before.
 */
export function judgeFreshness(
  { method = 'GET', headers: asked }: Asked,
  status: number,
  headers: IncomingHttpHeaders,
): Freshness {
  const type = headers['content-type'] ?? '';
  const control = readControl(headers);
  const vary = (headers.vary ?? '').toLowerCase();
  const isNever =
    headers['set-cookie'] !== undefined ||
    vary.includes('*') ||
    status === 206 ||
    /^\s*text\/event-stream/i.test(type) ||
    /(?:^|[\s,])(?:private|no-store|no-cache)(?:$|[\s,=])/.test(control) ||
    !hasClearLifetime(control);
  if (isNever || method !== 'GET') return 'not_storable';
  const isPublic =
    directivesOf(control).some((part) => part === 'public' || part.startsWith('s-maxage=')) ||
    isForCaches(headers);
  // Whatever its type: JSON and a file can be a person's as well as a page.
  if (isOfSomebody(asked) && !isPublic) return 'not_storable';
  const plain = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'pragma')),
    'cache-control': control,
    ...(headers.expires === undefined ? {} : { expires: imfDate(headers.expires) }),
    ...(headers.age === undefined ? {} : { age: plainAge(headers.age) }),
  };
  const policy = new CachePolicy(
    { method, url: '/', headers: withoutControl(asked) },
    { status, headers: plain },
    { shared: true, cacheHeuristic: 0 },
  );
  const [freshFor, age] = [policy.maxAge(), policy.age()];
  if (!policy.storable() || !(freshFor > age)) return 'not_storable';
  const names = vary
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  // What nobody can read may mean any header, and a header that the plane gives each visitor is not what the visitor sent.
  if (names.some((name) => !isToken.test(name) || ownerOf(name) === 'plane_for_each')) return 'not_storable';
  const varyOn = names.filter((name) => ownerOf(name) === 'visitor');
  // A website that compresses and does not say for whom would give its bytes to visitors who cannot read them.
  if (isCoded(headers) && !varyOn.includes('accept-encoding')) varyOn.push('accept-encoding');
  return { freshFor, age, varyOn, isPublic, ...staleness(control) };
}

const isToken = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

function isCoded(headers: IncomingHttpHeaders): boolean {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  return coding !== '' && coding !== 'identity';
}

/**
 * Only what is written counts, and `must-revalidate` and `proxy-revalidate` forbid it. `s-maxage` beside it does not: whoever writes
 * both means both.
 */
function staleness(control: string) {
  const isForbidden = /(?:^|[\s,])(?:must-revalidate|proxy-revalidate)(?:$|[\s,])/.test(control);
  const seconds = (name: string) => {
    const value = control
      .split(',')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${name}=`));
    const digits = value?.slice(name.length + 1).replace(/^"([^"]*)"$/, '$1') ?? '';
    return !isForbidden && /^[0-9]{1,9}$/.test(digits) ? Number(digits) : 0;
  };
  return {
    staleWhileRevalidate: seconds('stale-while-revalidate'),
    staleIfError: seconds('stale-if-error'),
  };
}

/** The directives that count here, in lower case. CDN-Cache-Control speaks to caches of this kind and goes first (RFC 9213). */
function readControl(headers: IncomingHttpHeaders): string {
  const own = headers['cdn-cache-control'];
  const value = isForCaches(headers) && typeof own === 'string' ? own : (headers['cache-control'] ?? '');
  return value.toLowerCase();
}

function isForCaches(headers: IncomingHttpHeaders): boolean {
  const own = headers['cdn-cache-control'];
  return typeof own === 'string' && own.split(',').every((part) => isDirective(part.trim().toLowerCase()));
}

/** A lifetime that is no number, or that is told twice in different ways, is no lifetime (RFC 9111, 4.2.1). */
function hasClearLifetime(control: string): boolean {
  const parts = directivesOf(control);
  return ['max-age', 's-maxage'].every((name) => {
    const told = new Set(parts.filter((part) => part.startsWith(name)));
    return told.size <= 1 && [...told].every((part) => /^[a-z-]+=(?:[0-9]+|"[0-9]+")$/.test(part));
  });
}

/** The parts between commas, but for commas inside of a quoted text. */
function directivesOf(control: string): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  for (const text of control.split(',')) {
    if (isQuoted) parts.push(`${parts.pop()},${text}`);
    else parts.push(text);
    if (text.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  return parts.map((part) => part.trim());
}

/** RFC 9213, 2.2: a structured field, and only numbers count as times. Whoever writes another form means something else than it says. */
function isDirective(part: string): boolean {
  if (/^(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)\b/.test(part))
    return /^[a-z-]+=[0-9]+$/.test(part);
  return /^[a-z*][a-z0-9_.*-]*(?:=(?:[a-z0-9_.*?-]+|"[^"]*"))?$/.test(part);
}

/** The first of several counts (RFC 9111, 5.1). One that nobody can read may be any. */
function plainAge(value: string): string {
  const [first = ''] = value.split(',', 1);
  return /^[0-9]+$/.test(first.trim()) ? first.trim() : tooOld;
}

const imf =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Any other form of a date means that it has passed (RFC 9111, 5.3). */
function imfDate(value: string): string {
  return imf.test(value) ? value : 'Thu, 01 Jan 1970 00:00:00 GMT';
}

/** The request headers without the visitor's wishes about caches, which do not decide what others get. */
function withoutControl(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'cache-control': _control, pragma: _pragma, ...rest } = headers;
  return rest;
}
