import type { IncomingHttpHeaders } from 'node:http';
import type { FlatHeaders } from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import type { PassingParts, Recorder } from '../upstream/pass-on.ts';
import { passOn } from '../upstream/pass-on.ts';
import { answerPlain, type Visit } from '../visit.ts';
import { cacheKey, chooseAnswer, headerText, partMark, writeCached } from './answer-cached.ts';
import { type CacheBounds, type CachedAnswer, createEntryStore } from './entry-store.ts';
import { judgeFreshness } from './freshness.ts';

export type Cache = {
  /** Answers from what is kept, or passes on and keeps the answer. */
  answer(visit: Visit, parts: PassingParts): void;
  /** Drops what begins so, and what is being fetched. Null for a beginning without scheme and host. */
  purge(startsWith: string): Promise<number | null>;
  readonly bytes: number;
};

export const cacheBounds: CacheBounds & { answerBytes: number } = {
  bytes: 256 * 1024 * 1024,
  entries: 100_000,
  answersOfOneAddress: 20,
  answerBytes: 5 * 1024 * 1024,
};

/** Visitors of one address wait so long for the head of the first one's answer. */
const waitMs = 1_000;
/** An address whose answers cannot be kept is not waited for. */
const passMs = 60_000;
/** A visitor's wish for a new answer counts so often for one address. */
const renewMs = 1_000;
const passAtMost = 50_000;

type Fetch = { key: string; purged: boolean; waiting: Set<(again: boolean) => void> };

/** Keeps answers in memory, as far as their upstreams allow it (RFC 9111). */
export function createCache(bounds = cacheBounds): Cache {
  const entries = createEntryStore(bounds);
  const fetching = new Map<string, Fetch>();
  const passing = new Map<string, number>();
  const renewed = new Map<string, number>();

  function answer(visit: Visit, parts: PassingParts): void {
    const { req } = visit;
    const key = cacheKey(visit);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      passOn(visit, parts, { recorder: forgetter(visit, key) });
      return;
    }
    const wish = readWish(req.headers);
    if (wish === 'no_store') {
      passOn(visit, parts, {});
      return;
    }
    const now = performance.now();
    const found = chooseAnswer(entries.find(key), visit, ruleMark(visit.site, visit.resolved.rule));
    const isRenewed = wish === 'renew' && now - (renewed.get(key) ?? Number.NEGATIVE_INFINITY) > renewMs;
    if (found && now < found.freshUntil && !isRenewed) {
      writeCached(visit, found, now, 'Homeport; hit');
      return;
    }
    if (wish === 'only_cached') {
      answerPlain(visit.res, 504, 'not_cached');
      return;
    }
    if (isRenewed) remember(renewed, key, now);
    if (req.method === 'HEAD' || req.headers.range !== undefined) {
      passOn(visit, parts, {});
      return;
    }
    if ((passing.get(key) ?? 0) > now) {
      passOn(visit, parts, {});
      return;
    }
    const ahead = fetching.get(key);
    if (ahead && !isRenewed) {
      wait(visit, parts, ahead);
      return;
    }
    fetch(visit, parts, key, found);
  }

  function wait(visit: Visit, parts: PassingParts, { waiting }: Fetch): void {
    const go = (again: boolean) => {
      clearTimeout(late);
      waiting.delete(go);
      if (visit.res.destroyed) return;
      if (again) answer(visit, parts);
      else passOn(visit, parts, {});
    };
    const late = setTimeout(() => go(false), waitMs);
    waiting.add(go);
  }

  function fetch(visit: Visit, parts: PassingParts, key: string, stale: CachedAnswer | undefined): void {
    const fetched: Fetch = { key, purged: false, waiting: new Set() };
    fetching.set(key, fetched);
    // After a failure each goes alone: one after the other they would wait for as many failures.
    const end = (again = true) => {
      if (fetching.get(key) === fetched) fetching.delete(key);
      for (const go of [...fetched.waiting]) go(again);
    };
    const recorder = record(visit, fetched, end);
    // The visitor's own question passes as it is; else the cache asks whether its answer still holds.
    const isConditional =
      visit.req.headers['if-none-match'] !== undefined ||
      visit.req.headers['if-modified-since'] !== undefined;
    if (!stale || stale.validators.length === 0 || isConditional) {
      passOn(visit, parts, { recorder });
      return;
    }
    const takes = (status: number, headers: IncomingHttpHeaders) => {
      if (status !== 304) return false;
      const fresh = judgeFreshness(visit.req, stale.status, { ...headersOf(stale), ...headers });
      const now = performance.now();
      const renewedAnswer =
        fresh === 'not_storable'
          ? { ...stale, storedAt: now, age: 0, freshUntil: now }
          : {
              ...stale,
              storedAt: now,
              age: fresh.age,
              freshUntil: now + (fresh.freshFor - fresh.age) * 1_000,
            };
      if (!fetched.purged) entries.put(key, renewedAnswer);
      writeCached(visit, renewedAnswer, now, 'Homeport; hit; detail=revalidated');
      end();
      return true;
    };
    passOn(visit, parts, { recorder, validators: stale.validators, takes });
  }

  function record(visit: Visit, fetched: Fetch, end: (again?: boolean) => void): Recorder {
    let kept: Omit<CachedAnswer, 'body'> | null = null;
    let chunks: Buffer[] = [];
    let size = 0;
    return {
      head(status, headers, upstream) {
        kept = describe(visit, status, headers, upstream);
        if (kept !== null) return ['cache-status', 'Homeport; fwd=uri-miss; stored'];
        remember(passing, fetched.key, performance.now() + passMs);
        end();
        return ['cache-status', 'Homeport; fwd=uri-miss'];
      },
      write(chunk) {
        if (kept === null) return;
        size += chunk.length;
        chunks.push(chunk);
        if (size <= bounds.answerBytes) return;
        kept = null;
        chunks = [];
        end();
      },
      end() {
        if (kept !== null && !fetched.purged)
          entries.put(fetched.key, { ...kept, body: Buffer.concat(chunks) });
        end();
      },
      drop: () => end(false),
    };
  }

  /** A change of a resource makes what is kept of it untrue (RFC 9111, 4.4). */
  function forgetter(visit: Visit, key: string): Recorder {
    const { req } = visit;
    const nothing = () => undefined;
    return {
      head(status, headers) {
        if (status >= 400 || req.method === 'OPTIONS') return [];
        const base = key.slice(0, key.indexOf('/', 8));
        for (const address of [key, ...addressesIn(headers, key)])
          if (address.startsWith(`${base}/`)) forget(address);
        return [];
      },
      ...{ write: nothing, end: nothing, drop: nothing },
    };
  }

  function forget(address: string): void {
    const whole = address.endsWith(partMark) ? address.slice(0, -partMark.length) : address;
    for (const key of [whole, whole + partMark]) {
      entries.drop(key);
      const fetched = fetching.get(key);
      if (fetched) fetched.purged = true;
    }
  }

  return {
    answer,
    async purge(startsWith) {
      const beginning = readBeginning(startsWith);
      if (beginning === null) return null;
      for (const fetched of fetching.values()) if (fetched.key.startsWith(beginning)) fetched.purged = true;
      return entries.dropBeginning(beginning);
    },
    get bytes() {
      return entries.bytes;
    },
  };
}

/** An answer without its body, or null where it may not be kept. */
function describe(
  visit: Visit,
  status: number,
  headers: FlatHeaders,
  upstream: IncomingHttpHeaders,
): Omit<CachedAnswer, 'body'> | null {
  const fresh = judgeFreshness(visit.req, status, upstream);
  if (fresh === 'not_storable') return null;
  const now = performance.now();
  const { etag, 'last-modified': modified } = upstream;
  return {
    ...{ site: visit.site.id, mark: ruleMark(visit.site, visit.resolved.rule), status },
    headers: headers.filter((_text, index) => headers[index - (index % 2)] !== 'age'),
    ...{
      storedAt: now,
      age: fresh.age,
      freshUntil: now + (fresh.freshFor - fresh.age) * 1_000,
      isPublic: fresh.isPublic,
    },
    isHtml: /^\s*text\/html/i.test(upstream['content-type'] ?? ''),
    vary: { names: fresh.varyOn, values: fresh.varyOn.map((name) => headerText(visit.req.headers[name])) },
    validators: [
      ...(etag ? ['if-none-match', etag] : []),
      ...(modified ? ['if-modified-since', modified] : []),
    ],
  };
}

/** What a visitor wants of the cache. */
function readWish(headers: IncomingHttpHeaders): 'any' | 'renew' | 'no_store' | 'only_cached' {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (control.includes('no-store')) return 'no_store';
  if (control.includes('only-if-cached')) return 'only_cached';
  const isRenewal =
    /no-cache|max-age\s*=\s*0(?:\D|$)/.test(control) || (control === '' && headers.pragma === 'no-cache');
  return isRenewal ? 'renew' : 'any';
}

/** `https://example.com` never reaches `example.com.evil`: the beginning holds the whole host. */
function readBeginning(startsWith: string): string | null {
  const found = /^(https?:\/\/[^/?#\s]+)(\/\S*)?$/.exec(startsWith);
  return found ? `${found[1]?.toLowerCase()}${found[2] ?? '/'}` : null;
}

function addressesIn(headers: FlatHeaders, key: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value = ''] = [headers[index], headers[index + 1]];
    if ((name === 'location' || name === 'content-location') && URL.canParse(value, key))
      found.push(new URL(value, key).href);
  }
  return found;
}

function headersOf({ headers }: CachedAnswer): IncomingHttpHeaders {
  const out: IncomingHttpHeaders = {};
  for (let index = 0; index < headers.length; index += 2) out[headers[index] ?? ''] = headers[index + 1];
  return out;
}

function remember(times: Map<string, number>, key: string, time: number): void {
  if (times.size >= passAtMost) times.clear();
  times.set(key, time);
}
