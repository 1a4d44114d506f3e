import { liveSubprotocol } from '@homeport/contract/live/facts';
import type { LiveConsoleMessage, LivePageMessage } from '@homeport/contract/live/schema';
import { ApiProblem, unreachable } from './api-problem.ts';
import { readLiveMessage } from './read-live-message.ts';

/** One event of a stream. `id`: where the reader stands after it; empty before the stream has said. */
export interface LiveEvent {
  id: string;
  data: unknown;
}

export interface AskedStream {
  route: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The id of the last event that was seen; null begins at the beginning. */
  after: string | null;
  signal: AbortSignal;
  /** The stream was interrupted and goes on after the last event seen. */
  onResumed?: () => void;
}

export interface LiveSocket {
  /**
   * Follows a stream of the console. Resolves once it is open; the events end when the stream does, or is lost.
   *
   * @throws ApiProblem when it is refused, or the console cannot be reached.
   */
  open: (asked: AskedStream) => Promise<AsyncIterable<LiveEvent>>;
  /** Tells that the socket is there, or that trying again is worth it now. Returns the stop. */
  onHope: (listener: () => void) => () => void;
  /** The code with which the socket ended last (RFC 6455, 7.4). */
  closeCode: () => number;
}

/** What of the window matters to the socket. */
export interface LivePage {
  addEventListener: (type: string, listener: () => void, capture?: boolean) => void;
  document: { visibilityState: string };
}

interface Stream {
  asked: AskedStream;
  after: string | null;
  isOpen: boolean;
  opened: () => void;
  event: (event: LiveEvent) => void;
  over: (problem: ApiProblem | null) => void;
}

/** The console says a word every 20 s, and timers of hidden tabs run late: silence is two looks without a word. */
const lookEveryMs = 30_000;
const resumeAfterMs = 1_000;
/** `WebSocket.CONNECTING` and `WebSocket.OPEN` of the standard. */
const connecting = 0;
const open = 1;

/** The page's one socket, same origin. */
export function connectLive(): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}/api/live`, liveSubprotocol);
}

/**
 * Carries every stream of the page over one socket: it is opened with the first stream, closed with the last, and never held
 * twice. It does not try again by itself: who follows a stream decides when. While the browser keeps the page for "back",
 * or has frozen it, the socket is closed and the streams wait; afterwards they go on where they stood.
 */
export function createLiveSocket(connect: () => WebSocket, page: LivePage): LiveSocket {
  const streams = new Set<Stream>();
  const subscriptions = new Map<number, Stream>();
  const hopeful = new Set<() => void>();
  let socket: WebSocket | null = null;
  let lastId = 0;
  let asleep = false;
  let closeCode = 0;
  let refusal: ApiProblem | null = null;
  let silentLooks = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const say = (message: LivePageMessage) => socket?.send(JSON.stringify(message));
  const subscribe = (stream: Stream) => {
    if (socket?.readyState !== open) return;
    lastId += 1;
    subscriptions.set(lastId, stream);
    const { route, params, query } = stream.asked;
    say({ type: 'subscribe', id: lastId, route, params, query, after: stream.after });
  };
  const isSubscribed = (stream: Stream) => [...subscriptions.values()].includes(stream);
  const finish = (stream: Stream, problem: ApiProblem | null) => {
    streams.delete(stream);
    for (const [id, each] of subscriptions) if (each === stream) subscriptions.delete(id);
    stream.over(problem);
    if (streams.size === 0 && socket) letGo(1000);
  };
  const letGo = (code: number) => {
    const closing = socket;
    socket = null;
    closeCode = code;
    clearInterval(timer);
    subscriptions.clear();
    if (!closing) return;
    closing.onmessage = closing.onclose = null;
    // Closed while it connects, the browser writes an error into its console.
    closing.onopen = () => closing.close();
    if (closing.readyState !== connecting) closing.close();
  };
  const lose = (code: number) => {
    letGo(code);
    for (const stream of [...streams]) finish(stream, refusal ?? unreachable());
  };
  const hope = () => {
    for (const listener of [...hopeful]) listener();
  };

  const hear = (message: LiveConsoleMessage) => {
    if (message.type === 'beat') return;
    if (message.type === 'refused') {
      refusal = new ApiProblem(message.problem);
      return;
    }
    const stream = subscriptions.get(message.id);
    if (!stream) return;
    if (message.type === 'opened') {
      if (stream.isOpen) stream.asked.onResumed?.();
      else stream.opened();
      stream.isOpen = true;
    } else if (message.type === 'event') {
      stream.after = message.eventId ?? stream.after;
      stream.event({ id: stream.after ?? '', data: message.data });
    } else if (message.type === 'dropped') {
      subscriptions.delete(message.id);
      setTimeout(() => {
        if (streams.has(stream) && !isSubscribed(stream)) subscribe(stream);
      }, resumeAfterMs);
    } else finish(stream, message.type === 'failed' ? new ApiProblem(message.problem) : null);
  };
  const ensure = () => {
    if (socket || asleep) return;
    const opening = connect();
    socket = opening;
    refusal = null;
    silentLooks = 0;
    timer = setInterval(() => {
      silentLooks += 1;
      if (silentLooks === 2) lose(1006);
    }, lookEveryMs);
    opening.onopen = () => {
      for (const stream of streams) subscribe(stream);
      hope();
    };
    opening.onmessage = ({ data }: MessageEvent<unknown>) => {
      silentLooks = 0;
      const message = readLiveMessage(data);
      if (message) hear(message);
      else lose(1002);
    };
    opening.onclose = ({ code }) => lose(code);
  };

  const sleep = () => {
    asleep = true;
    letGo(1001);
  };
  const wake = () => {
    asleep = false;
    if (streams.size > 0) ensure();
    hope();
  };
  page.addEventListener('pagehide', sleep);
  page.addEventListener('pageshow', wake);
  // Page Lifecycle, https://wicg.github.io/page-lifecycle/. Events of the document are caught on their way down.
  page.addEventListener('freeze', sleep, true);
  page.addEventListener('resume', wake, true);
  page.addEventListener('online', hope);
  page.addEventListener(
    'visibilitychange',
    () => page.document.visibilityState === 'visible' && hope(),
    true,
  );

  return {
    onHope(listener) {
      hopeful.add(listener);
      return () => hopeful.delete(listener);
    },
    closeCode: () => closeCode,
    open: (asked) =>
      new Promise((resolve, reject) => {
        if (asked.signal.aborted) return reject(asked.signal.reason);
        const events = createEvents(() => leave());
        const stream: Stream = {
          asked,
          after: asked.after,
          isOpen: false,
          opened: () => resolve(events),
          event: events.put,
          over(problem) {
            asked.signal.removeEventListener('abort', leave);
            reject(problem ?? unreachable());
            events.end();
          },
        };
        const leave = () => {
          if (!streams.has(stream)) return;
          for (const [id, each] of subscriptions) if (each === stream) say({ type: 'unsubscribe', id });
          finish(stream, null);
        };
        asked.signal.addEventListener('abort', leave, { once: true });
        streams.add(stream);
        ensure();
        subscribe(stream);
      }),
  };
}

/** Events between the socket and who reads them; a reader that leaves the loop leaves the stream. */
function createEvents(onLeave: () => void) {
  const waiting: LiveEvent[] = [];
  let ended = false;
  let wake = () => {};
  return {
    put(event: LiveEvent) {
      waiting.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent> {
      try {
        for (;;) {
          const next = waiting.shift();
          if (next) yield next;
          else if (ended) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      } finally {
        onLeave();
      }
    },
  };
}
