import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isHopByHop } from '../armour/hop-names.ts';
import type { Sweep, Watched } from '../armour/sweep.ts';
import type { PlaneLimits } from '../limits.ts';
import { type ChangedBody, changeBody } from '../response/changed-body.ts';
import { type Change, chooseChange } from '../response/choose-change.ts';
import { type FlatHeaders, type Place, responseHeaders } from '../response/response-headers.ts';
import { ruleMark } from '../response/rule-mark.ts';
import { answerPlain, originOf, type Visit } from '../visit.ts';
import { explainFailure, isLostConnection } from './explain-error.ts';
import type { Pools, Taken } from './pools.ts';
import { hasBody, openBody, type RequestBody } from './request-body.ts';
import { changesPages, requestHeaders, wantsTrailers } from './request-headers.ts';

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
  head(status: number, headers: FlatHeaders, upstream: IncomingHttpHeaders): readonly string[];
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
  takes?: (status: number, headers: IncomingHttpHeaders) => boolean;
  /** Answers in place of an error of ours, and returns true then. */
  failed?: () => boolean;
};

/** Passes a request to its rule's upstream and the answer back. Everything that can stall has a deadline. */
export function passOn(visit: Visit, parts: PassingParts, passage: Passage): void {
  const taken = parts.pools.take(visit.resolved.rule.target);
  if (taken === null) {
    passage.recorder?.drop();
    if (passage.failed?.()) return;
    answerPlain(visit.res, 503, 'Too many requests wait for this website.', {
      headers: ['retry-after', '5'],
    });
    return;
  }
  new Passing(visit, parts, passage, taken).start();
}

const retried: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The state of one request between visitor and upstream. */
class Passing implements Watched, Dispatcher.DispatchHandler {
  readonly #visit: Visit;
  readonly #parts: PassingParts;
  readonly #passage: Passage;
  readonly #dispatcher: Dispatcher;
  readonly #leave: () => void;
  readonly #body: RequestBody | null;
  readonly #mark: string | null;
  readonly #place: Place;
  #controller: Dispatcher.DispatchController | null = null;
  #changed: ChangedBody | null = null;
  #state: 'waiting' | 'answering' | 'ended' = 'waiting';
  #mayRetry: boolean;
  #isEventStream = false;
  #upstreamAt = performance.now();
  /** Since when the visitor takes nothing; null while it does. */
  #blockedSince: number | null = null;

  constructor(visit: Visit, parts: PassingParts, passage: Passage, { dispatcher, leave }: Taken) {
    const { req, site, resolved } = visit;
    this.#visit = visit;
    this.#parts = parts;
    this.#passage = passage;
    this.#dispatcher = dispatcher;
    this.#leave = leave;
    this.#body = hasBody(req)
      ? openBody(req, parts.limits.bodyBytes, () => this.#fail(413, 'The body is too large.'))
      : null;
    this.#mark = changesPages(resolved.rule) ? ruleMark(site, resolved.rule) : null;
    this.#place = { site, rule: resolved.rule, origin: originOf(visit) };
    this.#mayRetry = this.#body === null && retried.has(req.method ?? '');
  }

  start(): void {
    const { res } = this.#visit;
    this.#parts.sweep.add(this);
    res.on('close', () => {
      this.#leave();
      this.#parts.sweep.delete(this);
      if (this.#state !== 'ended') this.#abort(new Error('The visitor left.'));
    });
    this.#dispatch();
  }

  #dispatch(): void {
    const { req, resolved } = this.#visit;
    const headers = requestHeaders(this.#visit, this.#parts.id, { mark: this.#mark });
    if (this.#passage.validators) replaceValidators(headers, this.#passage.validators);
    const method = req.method ?? 'GET';
    this.#dispatcher.dispatch(
      { path: resolved.upstream, method, headers, body: this.#body?.stream ?? null },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === 'ended') controller.abort(new Error('The visitor left.'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    lines: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#state === 'ended') return;
    this.#upstreamAt = performance.now();
    this.#mayRetry = false;
    if (status > 599) {
      this.#fail(502, 'bad_answer');
      return;
    }
    const headers = joinLines(lines);
    if (this.#passage.takes?.(status, headers)) {
      this.#state = 'ended';
      // Nobody wants the body of an error that was not passed on.
      if (status !== 304) this.#controller?.abort(new Error('An older answer was given.'));
      return;
    }
    const { req, res, resolved } = this.#visit;
    this.#isEventStream = /^\s*text\/event-stream/i.test(headers['content-type'] ?? '');
    const chosen = chooseChange(req, resolved.rule, status, headers);
    const change = typeof chosen === 'string' ? null : chosen;
    const flat = responseHeaders(lines, this.#place, change === null ? null : this.#mark);
    const length = status === 204 ? withoutLength(flat) : flat;
    const head = () => {
      this.#state = 'answering';
      const added = this.#passage.recorder?.head(status, length, headers) ?? [];
      this.#visit.seen.headAt = performance.now();
      if (this.#body !== null && !this.#body.complete) res.shouldKeepAlive = false;
      res.writeHead(status, [...length, ...added]);
      if (headers['content-length'] === undefined && change === null) res.flushHeaders();
    };
    if (change !== null && req.method !== 'HEAD') this.#openChange(change, head);
    else head();
  }

  #openChange(change: Change, head: () => void): void {
    let begun = false;
    const begin = () => {
      if (!begun) head();
      begun = true;
    };
    const sink = {
      write: (chunk: Buffer) => {
        if (this.#state === 'ended') return true;
        begin();
        return this.#put(chunk);
      },
      end: () => {
        if (this.#state === 'ended') return;
        begin();
        this.#finish({});
      },
      fail: (code: string) => this.#fail(502, code),
    };
    this.#changed = changeBody(change, this.#place, sink, () => this.#controller?.resume());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#upstreamAt = performance.now();
    if (this.#state === 'ended') return;
    if (!(this.#changed ? this.#changed.write(chunk) : this.#put(chunk))) controller.pause();
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#changed) this.#changed.end();
    else if (this.#state !== 'ended') this.#finish(trailers);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
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

  #put(chunk: Buffer): boolean {
    this.#passage.recorder?.write(chunk);
    this.#visit.seen.bytes += chunk.length;
    if (this.#visit.res.write(chunk)) return true;
    // Most answers never wait for their visitor, so they have no listener.
    if (this.#blockedSince === null) this.#visit.res.once('drain', () => this.#goOn());
    this.#blockedSince ??= performance.now();
    return false;
  }

  #goOn(): void {
    this.#blockedSince = null;
    this.#upstreamAt = performance.now();
    if (this.#changed) this.#changed.resume();
    this.#controller?.resume();
  }

  #finish(trailers: IncomingHttpHeaders): void {
    this.#state = 'ended';
    this.#passage.recorder?.end();
    const { req, res } = this.#visit;
    if (wantsTrailers(req)) addTrailers(res, trailers);
    res.end();
  }

  /** Ends with an answer of our own, or with a cut where an answer has begun. */
  #fail(status: number, text: string): void {
    if (this.#state === 'ended') return;
    const isUploading = this.#body !== null && !this.#body.complete;
    const isWaiting = this.#state === 'waiting';
    this.#abort(new Error(text));
    if (isWaiting && status >= 500 && this.#passage.failed?.()) return;
    answerPlain(this.#visit.res, status, text, { close: isUploading });
  }

  #abort(reason: Error): void {
    this.#state = 'ended';
    this.#passage.recorder?.drop();
    this.#changed?.destroy();
    this.#controller?.abort(reason);
    this.#body?.stream.destroy();
  }
}

/** undici gives a header that came on several lines as a list. Whoever reads one value reads all of them (RFC 9110, 5.3). */
function joinLines(lines: IncomingHttpHeaders): IncomingHttpHeaders {
  let joined = lines;
  for (const name in lines) {
    const value = lines[name];
    if (!Array.isArray(value) || name === 'set-cookie') continue;
    if (joined === lines) joined = { ...lines };
    joined[name] = value.join(', ');
  }
  return joined;
}

function withoutLength(flat: FlatHeaders): FlatHeaders {
  return flat.filter((_part, index) => flat[index - (index % 2)] !== 'content-length');
}

/** They frame the body, or would act on the whole domain without the work that is done on headers (RFC 9110, 6.5.1). */
const notInTrailers: ReadonlySet<string> = new Set([
  ...[
    'content-length',
    'content-encoding',
    'content-type',
    'content-range',
    'cache-control',
    'host',
    'location',
  ],
  ...['set-cookie', 'alt-svc', 'clear-site-data', 'strict-transport-security', 'public-key-pins'],
]);

/** Trailers that cannot be headers are left out. */
function addTrailers(res: Visit['res'], trailers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(trailers)) {
    if (isHopByHop(name) || notInTrailers.has(name)) continue;
    if (typeof value === 'string' && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) res.addTrailers([[name, value]]);
  }
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
