import type { ExchangeKey, MessageTo, StreamKey } from '@homeport/contract/routes';
import type { LiveEvent } from './live/live-events.ts';
import { connectLive } from './live/live-line.ts';
import { createLiveSocket, type LiveSocket } from './live/live-socket.ts';
import type { RouteInput, RouteOutput } from './route-types.ts';

export interface StreamOptions {
  /** The id of the last seen event. null begins at the beginning. */
  after: string | null;
  signal: AbortSignal;
  /** Called when an interrupted stream continues after the last seen event. */
  onResumed?: () => void;
}

export type EventOf<K extends StreamKey> = LiveEvent & { data: RouteOutput<K> };

let shared: LiveSocket | undefined;

/** The page's socket, created with the first stream. */
export function liveSocket(): LiveSocket {
  shared ??= createLiveSocket(connectLive, window);
  return shared;
}

/**
 * Follows a stream of the console over the page's one socket: `openStream('GET /api/operations/:id/events',
 * …)`. The events end when the stream ends or is lost.
 *
 * @throws ApiProblem if the stream is refused or the console cannot be reached.
 */
export async function openStream<K extends StreamKey>(
  route: K,
  input: RouteInput<K>,
  options: StreamOptions,
): Promise<AsyncIterable<EventOf<K>>> {
  const { params, query } = input as { params?: object; query?: object };
  const asked = { route, params: texts(params), query: texts(query), ...options };
  // The api checks its own answers against the contract before they leave, so the page does not check them
  // again.
  return liveSocket().open(asked) as Promise<AsyncIterable<EventOf<K>>>;
}

/**
 * Begins an exchange with the console over the page's one socket: events come, and the page says messages. Nothing resumes an exchange.
 *
 * @throws ApiProblem if the exchange is refused or the console cannot be reached.
 */
export async function openExchange<K extends ExchangeKey>(
  route: K,
  input: RouteInput<K>,
  signal: AbortSignal,
): Promise<{
  events: AsyncIterable<LiveEvent & { data: RouteOutput<K> }>;
  say: (message: MessageTo<K>) => void;
}> {
  const { params, query } = input as { params?: object; query?: object };
  const asked = { route, params: texts(params), query: texts(query), after: null, signal };
  return liveSocket().exchange(asked) as never;
}

/** The values as text, as in an address. */
const texts = (part: object = {}) =>
  Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
