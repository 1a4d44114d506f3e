import type { IncomingHttpHeaders } from 'node:http';
import { chooseChange } from '../response/choose-change.ts';
import { type FlatHeaders, responseHeaders } from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import { type AnswerHead, headersByName } from '../upstream/answer-head.ts';
import type { Recorder } from '../upstream/pass-on.ts';
import { originOf, type Visit } from '../visit.ts';
import { headerText } from './answer-cached.ts';
import type { CachedAnswer } from './entry-store.ts';
import { judgeFreshness } from './freshness.ts';
import { timesOf } from './record-answer.ts';

/** They describe the bytes that are kept, which an answer without a body does not change (RFC 9111, 3.2). */
const ofTheKeptBody: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'content-range']);
/** A changed body was read by its type. */
const ofTheChangedBody: ReadonlySet<string> = new Set([...ofTheKeptBody, 'content-type']);

/** `mayKeep` is false where the new headers forbid it. The answer is for this visitor then. */
export type Freshened = { answer: CachedAnswer; mayKeep: boolean };

/**
 * A kept answer with the headers of a newer one that stands for the same body: a 304 to the cache's question, or the answer to a HEAD
 * (RFC 9111, 4.3.4 and 4.3.5).
 *
 * @param upstream the newer head, as it came
 */
export function freshen(kept: CachedAnswer, visit: Visit, upstream: AnswerHead): Freshened {
  const { req, site, resolved } = visit;
  const { rule } = resolved;
  const before = headersByName(kept.headers);
  const isChanged = typeof chooseChange(req, rule, kept.status, before) !== 'string';
  const place = { site, rule, origin: originOf(visit) };
  const newer = responseHeaders(upstream.flat, place, isChanged ? ruleMark(site, rule) : null);
  const merged = replaceHeaders(kept.headers, newer, isChanged ? ofTheChangedBody : ofTheKeptBody);
  // Only an answer to GET is kept, whatever asks about it.
  const asked = { method: 'GET', headers: req.headers };
  const fresh = judgeFreshness(asked, kept.status, { ...before, ...upstream.headers });
  const now = performance.now();
  if (fresh === 'not_storable') {
    const times = { storedAt: now, age: 0, freshUntil: now, usableUntil: { renewing: now, failed: now } };
    return { answer: { ...kept, headers: merged, ...times }, mayKeep: false };
  }
  const { varyOn, isPublic } = fresh;
  return {
    mayKeep: true,
    answer: {
      ...{ ...kept, headers: merged, isPublic, ...timesOf(fresh, now) },
      vary: { names: varyOn, values: varyOn.map((name) => headerText(req.headers[name])) },
      validators: newerValidators(kept.validators, upstream.headers),
    },
  };
}

/** The answer to a HEAD tells of the kept answer whether it still holds. One that does not goes. */
export function freshenByHead(
  kept: CachedAnswer,
  visit: Visit,
  { put, drop }: { put(answer: CachedAnswer): void; drop(): void },
): Recorder {
  const nothing = () => undefined;
  return {
    head(status, _headers, upstream) {
      if (status !== 200) return [];
      const { answer, mayKeep } = freshen(kept, visit, upstream);
      if (mayKeep && standsForSameBody(kept, visit, upstream.headers)) put(answer);
      else drop();
      return [];
    },
    ...{ write: nothing, end: nothing, drop: nothing },
  };
}

/** RFC 9111, 4.3.5: validators and length are compared where the newer answer has them. */
function standsForSameBody(
  { validators, headers, body, status }: CachedAnswer,
  { req, resolved }: Visit,
  upstream: IncomingHttpHeaders,
): boolean {
  if (status !== 200) return false;
  for (const [name, asked] of [
    ['etag', 'if-none-match'],
    ['last-modified', 'if-modified-since'],
  ] as const) {
    const at = validators.indexOf(asked);
    if (upstream[name] !== undefined && (at < 0 || validators[at + 1] !== upstream[name])) return false;
  }
  const length = upstream['content-length'];
  if (length === undefined) return true;
  const isChanged = typeof chooseChange(req, resolved.rule, status, headersByName(headers)) !== 'string';
  return isChanged || Number(length) === body.length;
}

function newerValidators(kept: readonly string[], upstream: IncomingHttpHeaders): readonly string[] {
  const { etag, 'last-modified': modified } = upstream;
  const known = (name: string) => kept[kept.indexOf(name) + 1];
  const tag = etag ?? (kept.includes('if-none-match') ? known('if-none-match') : undefined);
  const since = modified ?? (kept.includes('if-modified-since') ? known('if-modified-since') : undefined);
  return [...(tag ? ['if-none-match', tag] : []), ...(since ? ['if-modified-since', since] : [])];
}

/** Each name of the newer headers takes the place of all its values before. */
function replaceHeaders(kept: FlatHeaders, newer: FlatHeaders, except: ReadonlySet<string>): FlatHeaders {
  const names = new Set(newer.filter((_text, index) => index % 2 === 0));
  const isReplaced = (name: string) => names.has(name) && !except.has(name);
  return [
    ...pairs(kept, (name) => !isReplaced(name)),
    ...pairs(newer, (name) => !except.has(name) && name !== 'age'),
  ];
}

function pairs(headers: FlatHeaders, wanted: (name: string) => boolean): FlatHeaders {
  return headers.filter((_text, index) => wanted(headers[index - (index % 2)] ?? ''));
}
