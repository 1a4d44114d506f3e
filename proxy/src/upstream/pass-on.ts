import { isHopByHop } from '../armour/hop-names.ts';
import type { Sweep, Watched } from '../armour/reaper.ts';
import { takeRest } from '../armour/take-rest.ts';
import type { PlaneLimits } from '../limits.ts';
import { type ChangedBody, changeBody } from '../response/changed-body.ts';
import { type Change, chooseChange } from '../response/choose-change.ts';
import {
  type FlatHeaders,
  headersOfStatus,
  type Place,
  responseHeaders,
} from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import { refuseWaiting } from '../shares/refusals.ts';
import { answerPlain, originOf, type Visit } from '../visit.ts';
import type { AnswerHead } from './answer-head.ts';
import type { Asker, Flow } from './connection.ts';
import { explainFailure, isLostConnection } from './explain-error.ts';
import type { Pools, Taken } from './pools.ts';
import { hasBody, openBody, type RequestBody } from './request-body.ts';
import { asksByMark, changesPages, requestHeaders, wantsTrailers } from './request-headers.ts';

export type PassingParts = {
  pools: Pools;
  sweep: Sweep;
  limits: PlaneLimits;
  /** This plane's name in Via and CDN-Loop. */
  id: string;
};

/** Somebody who keeps a copy of the answer as the visitor gets it. */
export type Recorder = {
  /** `upstream` are the headers as they came. Gives headers to add. */
  head(status: number, headers: FlatHeaders, upstream: AnswerHead): readonly string[];
  write(chunk: Buffer): void;
  end(): void;
  /** The answer did not come whole. */
  drop(): void;
};

export type Passage = {
  /** More headers for the upstream, in place of the visitor's of that name. */
  validators?: readonly string[];
  recorder?: Recorder;
  /** Takes an answer in place of the visitor, and returns true then: a 304 to our own question, or an error. */
  takes?: (head: AnswerHead) => boolean;
  /** Answers in place of an error of ours, and returns true then. */
  failed?: () => boolean;
};

/** Passes a request to its rule's upstream and the answer back. Everything that can stall has a deadline. */
export function passOn(visit: Visit, parts: PassingParts, passage: Passage): void {
  const taken = parts.pools.take(visit.site, visit.resolved.rule.target);
  if (taken === null) {
    passage.recorder?.drop();
    if (passage.failed?.()) return;
    refuseWaiting(visit.res);
    return;
  }
  new Passing(visit, parts, passage, taken).start();
}

const textBytes = 16 * 1_024;
const retried: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The state of one request between visitor and upstream. */
class Passing implements Watched, Asker {
  readonly #visit: Visit;
  readonly #parts: PassingParts;
  readonly #passage: Passage;
  readonly #taken: Taken;
  readonly #body: RequestBody | null;
  readonly #mark: string | null;
  readonly #place: Place;
  sweepPlace = -1;
  #flow: Flow | null = null;
  #changed: ChangedBody | null = null;
  #state: 'waiting' | 'answering' | 'ended' = 'waiting';
  #mayRetry: boolean;
  #isEventStream = false;
  /** It takes long, and others do not wait for its connection. */
  #isAside = false;
  #upstreamAt = performance.now();
  /** Since when the visitor takes nothing; null while it does. */
  #blockedSince: number | null = null;

  constructor(visit: Visit, parts: PassingParts, passage: Passage, taken: Taken) {
    const { req, site, resolved } = visit;
    this.#visit = visit;
    this.#parts = parts;
    this.#passage = passage;
    this.#taken = taken;
    this.#body = hasBody(req)
      ? openBody(req, { bodyBytes: parts.limits.bodyBytes, turn: taken.turn }, () =>
          this.#fail(413, 'The body is too large.'),
        )
      : null;
    this.#mark = changesPages(resolved.rule) ? ruleMark(site, resolved.rule) : null;
    this.#place = { site, rule: resolved.rule, origin: originOf(visit) };
    this.#mayRetry = this.#body === null && retried.has(req.method ?? '');
  }

  start(): void {
    const { res } = this.#visit;
    this.#parts.sweep.add(this);
    res.on('close', () => {
      this.#taken.leave();
      this.#parts.sweep.delete(this);
      if (this.#state !== 'ended') this.#abort();
    });
    this.#dispatch();
  }

  #dispatch(): void {
    const { req, resolved } = this.#visit;
    const headers = requestHeaders(this.#visit, this.#parts.id, { mark: this.#mark });
    if (this.#passage.validators) replaceValidators(headers, this.#passage.validators);
    const method = req.method ?? 'GET';
    this.#taken.ask({ path: resolved.upstream, method, headers, body: this.#body }, this);
  }

  hasLeft(): boolean {
    return this.#state === 'ended';
  }

  begun(flow: Flow): void {
    this.#flow = flow;
  }

  head(head: AnswerHead): void {
    const { status } = head;
    if (status < 200 || this.#state === 'ended') return;
    this.#upstreamAt = performance.now();
    this.#mayRetry = false;
    if (status > 599) {
      this.#fail(502, 'bad_answer');
      return;
    }
    if (this.#passage.takes?.(head)) {
      this.#state = 'ended';
      // Nobody wants the body of an error that was not passed on.
      if (status !== 304) this.#flow?.abort(this);
      return;
    }
    const { req, res, resolved } = this.#visit;
    this.#isEventStream = /^\s*text\/event-stream/i.test(head.value('content-type') ?? '');
    if (this.#isEventStream) this.#flow?.setAside(this);
    const change = this.#mark === null ? null : changeOf(req, resolved.rule, head);
    const isOfChanged = change !== null || (status === 304 && asksByMark(req, this.#mark));
    const flat = responseHeaders(head.flat, this.#place, isOfChanged ? this.#mark : null);
    const write = (length: number | null) => {
      this.#state = 'answering';
      const added = this.#passage.recorder?.head(status, flat, head) ?? [];
      this.#visit.seen.headAt = performance.now();
      if (this.#body !== null && !this.#body.complete) res.shouldKeepAlive = false;
      const known = length === null ? [] : ['content-length', String(length)];
      res.writeHead(status, [...headersOfStatus(status, flat), ...added, ...known]);
      if (change === null && head.value('content-length') === undefined) res.flushHeaders();
    };
    if (change === null || req.method === 'HEAD') write(null);
    else this.#openChange(change, head.value('content-length'), write);
  }

  #openChange(change: Change, length: string | undefined, head: (length: number | null) => void): void {
    const sink = {
      begin: (changedLength: number | null) => {
        if (this.#state !== 'ended') head(changedLength);
      },
      write: (chunk: Buffer | string) => this.#state === 'ended' || this.#put(chunk),
      end: () => {
        if (this.#state !== 'ended') this.#finish([]);
      },
      fail: (code: string) => this.#fail(502, code),
    };
    const facts = {
      turn: this.#taken.turn,
      length: change.coding === 'identity' && length !== undefined ? Number(length) : null,
      shortText: this.#passage.recorder === undefined ? textBytes : 0,
    };
    this.#changed = changeBody(change, this.#place, facts, sink, () => this.#flow?.resume(this));
  }

  data(chunk: Buffer): void {
    this.#upstreamAt = performance.now();
    if (this.#state === 'ended') return;
    if (!this.#take(chunk)) this.#flow?.pause(this);
  }

  /** Node sends a head and a short text as one piece. A Buffer behind a head it copies into a place that it takes for this alone. */
  #take(chunk: Buffer): boolean {
    if (this.#changed) return this.#changed.write(chunk);
    if (this.#passage.recorder === undefined && chunk.length <= textBytes)
      return this.#put(chunk.toString('latin1'));
    // The connection reads its next bytes into the same place.
    return this.#put(Buffer.from(chunk));
  }

  end(trailers: FlatHeaders): void {
    if (this.#changed) this.#changed.end();
    else if (this.#state !== 'ended') this.#finish(trailers);
  }

  failed(error: Error): void {
    if (this.#state === 'ended') return;
    if (this.#mayRetry && isLostConnection(error)) {
      this.#mayRetry = false;
      this.#dispatch();
      return;
    }
    const { status, code } = explainFailure(error);
    this.#fail(status, code);
  }

  /** Called by the sweep. Ends what has stalled: an upload, an upstream, or a visitor that takes nothing. */
  look(now: number): void {
    const { limits } = this.#parts;
    const isUploading = this.#body !== null && !this.#body.complete;
    if (isUploading && this.#body !== null) {
      const isHeld = this.#visit.req.isPaused();
      if (!isHeld && now - this.#body.lastByteAt > limits.requestStallMs)
        this.#fail(408, 'The request stopped.');
      if (isHeld && this.#state === 'waiting' && now - this.#body.wantedAt > limits.upstreamHeadMs)
        this.#fail(504, 'timeout');
    }
    // An upstream that is slow to begin its answer has no more connections than others. One whose visitor is slow has.
    if (!this.#isAside && (isUploading || this.#state === 'answering'))
      this.#setAsideIfLong(now - this.#visit.seen.startedAt);
    if (this.#state === 'waiting' && !isUploading) {
      const since = Math.max(this.#upstreamAt, this.#body?.lastByteAt ?? 0);
      if (now - since > limits.upstreamHeadMs) this.#fail(504, 'timeout');
      return;
    }
    if (this.#blockedSince !== null) {
      if (now - this.#blockedSince > limits.answerStallMs) this.#visit.res.destroy();
    } else if (
      this.#state === 'answering' &&
      !this.#isEventStream &&
      now - this.#upstreamAt > limits.upstreamIdleMs
    ) {
      this.#fail(504, 'timeout');
    }
  }

  #setAsideIfLong(ms: number): void {
    if (ms <= this.#parts.limits.upstreamLongMs || this.#flow === null) return;
    this.#isAside = true;
    this.#flow.setAside(this);
  }

  /** A text has a character for each byte (latin1). */
  #put(chunk: Buffer | string): boolean {
    if (typeof chunk !== 'string') this.#passage.recorder?.write(chunk);
    this.#visit.seen.bytes += chunk.length;
    if (this.#visit.res.write(chunk, 'latin1')) return true;
    // Most answers never wait for their visitor, so they have no listener.
    if (this.#blockedSince === null) this.#visit.res.once('drain', () => this.#goOn());
    this.#blockedSince ??= performance.now();
    return false;
  }

  #goOn(): void {
    this.#blockedSince = null;
    this.#upstreamAt = performance.now();
    if (this.#changed) this.#changed.resume();
    this.#flow?.resume(this);
  }

  #finish(trailers: FlatHeaders): void {
    this.#state = 'ended';
    this.#passage.recorder?.end();
    const { req, res } = this.#visit;
    if (wantsTrailers(req)) addTrailers(res, trailers);
    if (this.#body === null || this.#body.complete) {
      res.end();
      return;
    }
    // The upstream answered before it had the whole body.
    res.flushHeaders();
    takeRest(req, () => res.end());
  }

  /** Ends with an answer of our own, or with a cut where an answer has begun. */
  #fail(status: number, text: string): void {
    if (this.#state === 'ended') return;
    const isUploading = this.#body !== null && !this.#body.complete;
    const isWaiting = this.#state === 'waiting';
    this.#abort();
    if (isWaiting && status >= 500 && this.#passage.failed?.()) return;
    answerPlain(this.#visit.res, status, text, { close: isUploading });
  }

  #abort(): void {
    this.#state = 'ended';
    this.#passage.recorder?.drop();
    this.#changed?.destroy();
    this.#flow?.abort(this);
    this.#body?.drop();
  }
}

function changeOf(req: Visit['req'], rule: Visit['resolved']['rule'], head: AnswerHead): Change | null {
  const chosen = chooseChange(req, rule, head.status, head.headers);
  return typeof chosen === 'string' ? null : chosen;
}

/**
 * They frame the body, say who somebody is, or would act on the domain or its caches without the work that is done on headers
 * (RFC 9110, 6.5.1).
 */
const notInTrailers: ReadonlySet<string> = new Set([
  ...['content-length', 'content-encoding', 'content-type', 'content-range', 'content-location', 'host'],
  ...['cache-control', 'cdn-cache-control', 'expires', 'pragma', 'vary', 'age', 'date'],
  ...['location', 'link', 'refresh', 'service-worker-allowed', 'authorization', 'www-authenticate'],
  ...['set-cookie', 'alt-svc', 'clear-site-data', 'strict-transport-security', 'public-key-pins'],
]);

/** Trailers that cannot be headers are left out. */
function addTrailers(res: Visit['res'], trailers: FlatHeaders): void {
  const kept: [string, string][] = [];
  for (let index = 0; index < trailers.length; index += 2) {
    const [name = '', value = ''] = [trailers[index], trailers[index + 1]];
    const isHeader = isHopByHop(name) || notInTrailers.has(name) || name.startsWith('access-control-');
    if (!isHeader) kept.push([name, value]);
  }
  // Each call takes the place of the one before.
  if (kept.length > 0) res.addTrailers(kept);
}

/** The cache's own question takes the place of the visitor's. */
function replaceValidators(headers: string[], validators: readonly string[]): void {
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    const name = headers[index]?.toLowerCase() ?? '';
    if (/^(?:if-(?:none-match|modified-since|match|unmodified-since|range)|range)$/.test(name))
      headers.splice(index, 2);
  }
  headers.push(...validators);
}
