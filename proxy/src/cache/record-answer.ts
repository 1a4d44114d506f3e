import type { IncomingHttpHeaders } from 'node:http';
import type { FlatHeaders } from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import type { Recorder } from '../upstream/pass-on.ts';
import type { Visit } from '../visit.ts';
import { headerText } from './answer-cached.ts';
import type { CachedAnswer } from './entry-store.ts';
import { type Freshness, judgeFreshness } from './freshness.ts';

export type Keeping = {
  /** The head says that the answer may be kept. */
  begun(): void;
  keep(answer: CachedAnswer): void;
  /** The head says that the answer may not be kept. */
  cannotKeep(status: number): void;
  /** Whoever waits may go on. `again` is false after a failure. */
  end(again?: boolean): void;
};

/**
 * Copies an answer on its way to the visitor.
 *
 * @param bytes the largest body that is kept
 */
export function recordAnswer(
  visit: Visit,
  bytes: number,
  { begun, keep, cannotKeep, end }: Keeping,
): Recorder {
  let kept: Omit<CachedAnswer, 'body'> | null = null;
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    head(status, headers, upstream) {
      kept = describe(visit, status, headers, upstream.headers);
      if (kept !== null) {
        begun();
        return ['cache-status', 'Homeport; fwd=uri-miss; stored'];
      }
      cannotKeep(status);
      end();
      return ['cache-status', 'Homeport; fwd=uri-miss'];
    },
    write(chunk) {
      if (kept === null) return;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bytes) return;
      kept = null;
      chunks = [];
      end();
    },
    end() {
      if (kept !== null) keep({ ...kept, body: Buffer.concat(chunks) });
      end();
    },
    drop: () => end(false),
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
    ...timesOf(fresh, now),
    isPublic: fresh.isPublic,
    isHtml: /^\s*text\/html/i.test(upstream['content-type'] ?? ''),
    vary: { names: fresh.varyOn, values: fresh.varyOn.map((name) => headerText(visit.req.headers[name])) },
    validators: [
      ...(etag ? ['if-none-match', etag] : []),
      ...(modified ? ['if-modified-since', modified] : []),
    ],
  };
}

/** The times of an answer that came `now`. */
export function timesOf(
  { age, freshFor, staleWhileRevalidate, staleIfError }: Exclude<Freshness, string>,
  now: number,
): Pick<CachedAnswer, 'storedAt' | 'age' | 'freshUntil' | 'usableUntil'> {
  const freshUntil = now + (freshFor - age) * 1_000;
  const usableUntil = {
    renewing: freshUntil + staleWhileRevalidate * 1_000,
    failed: freshUntil + staleIfError * 1_000,
  };
  return { storedAt: now, age, freshUntil, usableUntil };
}
