import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FlatHeaders } from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import type { Recorder } from '../upstream/pass-on.ts';
import type { Visit } from '../visit.ts';
import { headerText } from './answer-cached.ts';
import type { CachedAnswer } from './entry-store.ts';
import { type Freshness, judgeFreshness } from './freshness.ts';
import type { UnderWay } from './under-way.ts';

export type Keeping = {
  /** The head says that the answer may be kept. */
  begun(): void;
  keep(answer: CachedAnswer): void;
  /** The head says that answers of this address may not be kept. */
  cannotKeep(): void;
  /** Whoever waits may go on. `again` is false after a failure, and where the answer says nothing about others. */
  end(again?: boolean): void;
};

/**
 * Copies an answer on its way to the visitor. `bytes` is the largest body that is kept. An answer that finds no room among those under
 * way passes without being kept.
 */
export function recordAnswer(
  visit: Visit,
  { bytes, underWay }: { bytes: number; underWay: UnderWay },
  { begun, keep, cannotKeep, end }: Keeping,
): Recorder {
  let kept: Omit<CachedAnswer, 'body'> | null = null;
  let chunks: Buffer[] = [];
  let size = 0;
  const { owner } = visit.site;
  const forget = () => {
    underWay.give(owner, size);
    kept = null;
    chunks = [];
    size = 0;
  };
  return {
    head(status, headers, upstream) {
      const found = describe(visit, status, headers, upstream.headers);
      if (typeof found === 'object') {
        kept = found;
        begun();
        return ['cache-status', 'Homeport; fwd=uri-miss; stored'];
      }
      const isOfThisVisitor = found === 'odd_visitor' || isForVisitor(status);
      // An answer to the visitor's own question says nothing about the next visitor's.
      if (!isOfThisVisitor && status !== 304) cannotKeep();
      end(!isOfThisVisitor);
      return ['cache-status', 'Homeport; fwd=uri-miss'];
    },
    write(chunk) {
      if (kept === null) return;
      if (size + chunk.length <= bytes && underWay.take(owner, chunk.length)) {
        size += chunk.length;
        chunks.push(chunk);
        return;
      }
      forget();
      end();
    },
    end() {
      if (kept !== null) keep({ ...kept, body: Buffer.concat(chunks) });
      forget();
      end();
    },
    drop() {
      forget();
      end(false);
    },
  };
}

/**
 * Whether a status finds fault with the request, or with who asks. Others may be answered otherwise, so one visitor must not turn the
 * cache off for them.
 */
function isForVisitor(status: number): boolean {
  return status >= 400 && status < 500 && status !== 404 && status !== 410 && status !== 429;
}

/**
 * An answer without its body, or why it may not be kept: because of the answer, or because the visitor sent a header twice by which the
 * answer differs. A program may read another one of the two than the cache.
 */
function describe(
  visit: Visit,
  status: number,
  headers: FlatHeaders,
  upstream: IncomingHttpHeaders,
): Omit<CachedAnswer, 'body'> | 'not_storable' | 'odd_visitor' {
  const fresh = judgeFreshness(visit.req, status, upstream);
  if (fresh === 'not_storable') return fresh;
  if (fresh.varyOn.some((name) => isReadOtherwise(visit.req, name))) return 'odd_visitor';
  const now = performance.now();
  const { etag, 'last-modified': modified } = upstream;
  return {
    ...{
      site: visit.site.id,
      owner: visit.site.owner,
      domain: visit.site.domain,
      mark: ruleMark(visit.site, visit.resolved.rule),
      status,
    },
    headers: headers.filter((_text, index) => headers[index - (index % 2)] !== 'age'),
    ...timesOf(fresh, now),
    isPublic: fresh.isPublic,
    vary: { names: fresh.varyOn, values: fresh.varyOn.map((name) => headerText(visit.req.headers[name])) },
    validators: [
      ...(etag ? ['if-none-match', etag] : []),
      ...(modified ? ['if-modified-since', modified] : []),
    ],
  };
}

/** Node joins the lines of most headers to a list, and keeps the first line of some. */
function isReadOtherwise({ headers, rawHeaders }: IncomingMessage, name: string): boolean {
  const lines = rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
  return lines.length > 1 && lines.join(', ') !== headerText(headers[name]);
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
