import { isPart } from '../response/choose-change.ts';
import { headersOfStatus } from '../response/response-headers.ts';
import { originOf, type Visit } from '../visit.ts';
import type { CachedAnswer } from './entry-store.ts';
import { isOfSomebody } from './freshness.ts';

export const partMark = ' part';
/** Node sends a head and a short text as one piece. A Buffer behind a head it copies into a place that it takes for this alone. */
const textBytes = 4 * 1_024;

/**
 * The address under which an answer is kept: what the website was asked for, in the visitor's words. The visitor's own escapes are
 * sent, so `/%61bout` and `/about` have two answers: a website may tell them apart.
 */
export function cacheKey(visit: Visit): string {
  const { rule, path, query } = visit.resolved;
  // A part of a page has no snippet, so it is another answer. No address has a space.
  const part = rule.injection !== null && isPart(visit.req.headers) ? partMark : '';
  return `${originOf(visit)}${path.sent}${query}${part}`;
}

/** The answer that was made for a request like this one. */
export function chooseAnswer(
  answers: readonly CachedAnswer[],
  { req, site }: Visit,
  mark: string,
): CachedAnswer | undefined {
  return answers.find((answer) => {
    const { names, values } = answer.vary;
    if (
      answer.mark !== mark ||
      answer.site !== site.id ||
      !names.every((name, index) => headerText(req.headers[name]) === values[index])
    )
      return false;
    // What was made for everybody is no answer to somebody, unless the upstream says so.
    if (answer.isPublic) return true;
    return !isOfSomebody(req.headers);
  });
}

export function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** Writes a kept answer: whole, a part of it, or that the visitor has it already. `now` is of the monotonic clock. */
export function writeCached(visit: Visit, answer: CachedAnswer, now: number, cacheStatus: string): void {
  const { req, res, seen } = visit;
  const age = String(Math.floor(answer.age + (now - answer.storedAt) / 1_000));
  const headers = [...answer.headers, 'age', age, 'cache-status', cacheStatus];
  seen.headAt = performance.now();
  seen.isHit = true;
  if (answer.status === 200 && isKnown(visit, answer)) {
    res.writeHead(304, without(headers, ofTheBody));
    res.end();
    return;
  }
  const range = answer.status === 200 ? readRange(visit, answer) : null;
  if (range === 'unsatisfiable') {
    res.writeHead(416, ['content-range', `bytes */${answer.body.length}`, 'content-length', '0']);
    res.end();
    return;
  }
  const body = range ? answer.body.subarray(range.start, range.end + 1) : answer.body;
  const part = range ? ['content-range', `bytes ${range.start}-${range.end}/${answer.body.length}`] : [];
  res.writeHead(range ? 206 : answer.status, [
    ...headersOfStatus(answer.status, [...without(headers, length), 'content-length', String(body.length)]),
    ...part,
  ]);
  if (req.method !== 'HEAD') seen.bytes += body.length;
  if (req.method === 'HEAD') res.end();
  else if (body.length <= textBytes) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

const length: ReadonlySet<string> = new Set(['content-length']);
const ofTheBody: ReadonlySet<string> = new Set([
  'content-length',
  'content-type',
  'content-encoding',
  'content-range',
]);

function without(headers: readonly string[], names: ReadonlySet<string>): string[] {
  return headers.filter((_text, index) => !names.has(headers[index - (index % 2)] ?? ''));
}

function headerIn(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === name) return headers[index + 1];
  return undefined;
}

/** Whether the visitor says that it holds this answer. RFC 9110, 13.2.2: If-None-Match decides where there is one. */
export function isKnown({ req }: Visit, { headers }: CachedAnswer): boolean {
  const asked = req.headers['if-none-match'];
  if (asked !== undefined) {
    const tag = weakly(headerIn(headers, 'etag') ?? '');
    return asked.trim() === '*' || (tag !== '' && asked.split(',').some((one) => weakly(one.trim()) === tag));
  }
  const since = Date.parse(req.headers['if-modified-since'] ?? '');
  const modified = Date.parse(headerIn(headers, 'last-modified') ?? '');
  return modified <= since;
}

function weakly(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** One range of bytes. Several ranges, and a range under another condition, get the whole answer. */
function readRange(
  { req }: Visit,
  { body, headers }: CachedAnswer,
): { start: number; end: number } | 'unsatisfiable' | null {
  const found = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(req.headers.range ?? '');
  const [, from = '', to = ''] = found ?? [];
  if (!found || (from === '' && to === '')) return null;
  // Such a range says nothing (RFC 9110, 14.1.1).
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  const condition = req.headers['if-range'];
  const tag = headerIn(headers, 'etag');
  if (condition !== undefined && (tag === undefined || tag.startsWith('W/') || condition !== tag))
    return null;
  const last = body.length - 1;
  const start = from === '' ? Math.max(0, body.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? last : Math.min(Number(to), last);
  return start > end || start > last ? 'unsatisfiable' : { start, end };
}
