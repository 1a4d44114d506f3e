import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import { ApiProblem, unreachable } from '../api-problem.ts';
import { createEvents, type LiveEvent } from './live-events.ts';
import { createLiveLine, type LiveLine } from './live-line.ts';

export interface AskedStream {
  route: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The id of the last seen event. null begins at the beginning. */
  after: string | null;
  signal: AbortSignal;
  /** Called when an interrupted stream continues after the last seen event. */
  onResumed?: () => void;
  /**
   * True for an exchange: what was interrupted is over, because to continue would begin another one. Its reader also says things.
   */
  once?: boolean;
}

/** The events of an exchange, and the way to say something. What is said after its end goes nowhere. */
export interface LiveExchange {
  events: AsyncIterable<LiveEvent>;
  say: (data: unknown) => void;
}

export interface LiveSocket {
  /**
   * Follows a stream of the console. Resolves once the stream is open. The events end when the stream ends or
   * is lost.
   *
   * @throws ApiProblem if the stream is refused or the console cannot be reached.
   */
  open: (asked: AskedStream) => Promise<AsyncIterable<LiveEvent>>;
  /** As `open`, for a route to which the page sends messages. */
  exchange: (asked: AskedStream) => Promise<LiveExchange>;
  /**
   * Calls `listener` when the socket is open or a retry is worthwhile. Returns a function that stops this.
   */
  onHope: (listener: () => void) => () => void;
  /** The code of the socket's last close (RFC 6455, 7.4). */
  closeCode: () => number;
}

/** The part of the window that the socket needs. */
export interface LivePage {
  addEventListener: (type: string, listener: () => void, capture?: boolean) => void;
  document: { visibilityState: string };
}

interface Stream {
  asked: AskedStream;
  after: string | null;
  /** The console has opened the stream, for the first time or again. */
  opened: () => void;
  event: (id: string | null, data: unknown) => void;
  over: (problem: ApiProblem | null) => void;
}

const resumeAfterMs = 1_000;

/**
 * Carries every stream of the page over one socket. The socket opens with the first stream and closes with
 * the last. There are never two.
 *
 * The socket does not retry by itself: the follower of a stream decides when. While the browser keeps the
 * page for "back" or has frozen the page, the socket is closed and the streams wait. Afterwards they continue
 * at their last position.
 */
export function createLiveSocket(connect: () => WebSocket, page: LivePage): LiveSocket {
  const streams = new Set<Stream>();
  const hopeful = new Set<() => void>();
  let asleep = false;
  let refusal: ApiProblem | null = null;
  const hope = () => {
    for (const listener of [...hopeful]) listener();
  };
  const line = createLiveLine(connect, {
    onOpen() {
      for (const stream of streams) subscriptions.add(stream);
      hope();
    },
    onMessage: (message) => hear(message),
    onLost() {
      subscriptions.clear();
      for (const stream of [...streams]) finish(stream, refusal ?? unreachable());
    },
  });
  const subscriptions = createSubscriptions(line);
  const letGo = (code: number) => {
    subscriptions.clear();
    line.letGo(code);
    for (const stream of [...streams]) if (stream.asked.once) finish(stream, unreachable());
  };
  const finish = (stream: Stream, problem: ApiProblem | null) => {
    streams.delete(stream);
    subscriptions.remove(stream);
    stream.over(problem);
    if (streams.size === 0 && line.isHeld()) letGo(1000);
  };
  const hear = (message: LiveConsoleMessage) => {
    if (message.type === 'beat') return;
    if (message.type === 'refused') {
      refusal = new ApiProblem(message.problem);
      return;
    }
    const stream = subscriptions.find(message.id);
    if (!stream) return;
    if (message.type === 'opened') stream.opened();
    else if (message.type === 'event') stream.event(message.eventId, message.data);
    else if (message.type === 'dropped' && stream.asked.once) finish(stream, unreachable());
    else if (message.type === 'dropped') {
      subscriptions.remove(stream);
      setTimeout(() => {
        if (streams.has(stream) && !subscriptions.has(stream)) subscriptions.add(stream);
      }, resumeAfterMs);
    } else finish(stream, message.type === 'failed' ? new ApiProblem(message.problem) : null);
  };
  const ensure = () => {
    if (asleep || line.isHeld()) return;
    refusal = null;
    line.ensure();
  };
  followPageLife(page, {
    sleep() {
      asleep = true;
      letGo(1001);
    },
    wake() {
      asleep = false;
      if (streams.size > 0) ensure();
      hope();
    },
    hope,
  });

  const begin = (asked: AskedStream) => {
    let begun: Stream | null = null;
    const events = new Promise<AsyncIterable<LiveEvent>>((resolve, reject) => {
      if (asked.signal.aborted) return reject(asked.signal.reason);
      const leave = () => {
        if (!streams.has(stream)) return;
        subscriptions.leave(stream);
        finish(stream, null);
      };
      const stream = createStream(asked, { resolve, reject, leave });
      begun = stream;
      streams.add(stream);
      ensure();
      subscriptions.add(stream);
    });
    const say = (data: unknown) => {
      if (begun) subscriptions.say(begun, data);
    };
    return { events, say };
  };

  return {
    onHope(listener) {
      hopeful.add(listener);
      return () => hopeful.delete(listener);
    },
    closeCode: line.closeCode,
    open: (asked) => begin(asked).events,
    async exchange(asked) {
      const { events, say } = begin({ ...asked, once: true });
      return { events: await events, say };
    },
  };
}

interface StreamEnds {
  resolve: (events: AsyncIterable<LiveEvent>) => void;
  reject: (problem: ApiProblem) => void;
  /** The stream's reader has left. */
  leave: () => void;
}

/** A requested stream. Its reader gets the events once the stream is open, or the problem. */
function createStream(asked: AskedStream, { resolve, reject, leave }: StreamEnds): Stream {
  const events = createEvents(leave);
  let isOpen = false;
  asked.signal.addEventListener('abort', leave, { once: true });
  const stream: Stream = {
    asked,
    after: asked.after,
    opened() {
      if (isOpen) asked.onResumed?.();
      else resolve(events);
      isOpen = true;
    },
    event(id, data) {
      stream.after = id ?? stream.after;
      events.put({ id: stream.after ?? '', data });
    },
    over(problem) {
      asked.signal.removeEventListener('abort', leave);
      reject(problem ?? unreachable());
      events.end();
    },
  };
  return stream;
}

/** Maps numbers to the streams on this socket. */
function createSubscriptions(line: LiveLine) {
  const byId = new Map<number, Stream>();
  let lastId = 0;
  const idsOf = (stream: Stream) => [...byId].filter(([, each]) => each === stream).map(([id]) => id);
  return {
    /** Does nothing until the socket is open, because opening adds every stream. */
    add(stream: Stream) {
      if (!line.isOpen()) return;
      lastId += 1;
      byId.set(lastId, stream);
      const { route, params, query } = stream.asked;
      line.say({ type: 'subscribe', id: lastId, route, params, query, after: stream.after });
    },
    find: (id: number) => byId.get(id),
    has: (stream: Stream) => idsOf(stream).length > 0,
    say(stream: Stream, data: unknown) {
      for (const id of idsOf(stream)) line.say({ type: 'send', id, data });
    },
    leave(stream: Stream) {
      for (const id of idsOf(stream)) line.say({ type: 'unsubscribe', id });
    },
    remove(stream: Stream) {
      for (const id of idsOf(stream)) byId.delete(id);
    },
    clear: () => byId.clear(),
  };
}

/**
 * Page Lifecycle, https://wicg.github.io/page-lifecycle/. Listens to the document's events in the capture
 * phase.
 */
function followPageLife(
  page: LivePage,
  { sleep, wake, hope }: Record<'sleep' | 'wake' | 'hope', () => void>,
) {
  page.addEventListener('pagehide', sleep);
  page.addEventListener('pageshow', wake);
  page.addEventListener('freeze', sleep, true);
  page.addEventListener('resume', wake, true);
  page.addEventListener('online', hope);
  page.addEventListener(
    'visibilitychange',
    () => page.document.visibilityState === 'visible' && hope(),
    true,
  );
}
