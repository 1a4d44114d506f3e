import type { StreamKey } from '@homeport/contract/routes';
import type { LiveEvent } from './live-events.ts';
import { connectLive } from './live-line.ts';
import { createLiveSocket, type LiveSocket } from './live-socket.ts';
import type { RouteInput, RouteOutput } from './route-types.ts';

export interface StreamOptions {
  /** The id of the last event that was seen; null begins at the beginning. */
  after: string | null;
  signal: AbortSignal;
  /** The stream was interrupted and goes on after the last event seen. */
  onResumed?: () => void;
}

export type EventOf<K extends StreamKey> = LiveEvent & { data: RouteOutput<K> };

let shared: LiveSocket | undefined;

/** The socket of this page: made with the first stream. */
export function liveSocket(): LiveSocket {
  shared ??= createLiveSocket(connectLive, window);
  return shared;
}

/**
 * Follows a stream of the console over the page's one socket: `openStream('GET /api/operations/:id/events', …)`. The events
 * end when the stream does, or is lost.
 *
 * @throws ApiProblem when it is refused, or the console cannot be reached.
 */
export async function openStream<K extends StreamKey>(
  route: K,
  input: RouteInput<K>,
  options: StreamOptions,
): Promise<AsyncIterable<EventOf<K>>> {
  const { params, query } = input as { params?: object; query?: object };
  const asked = { route, params: texts(params), query: texts(query), ...options };
  // The api checks its own answers against the contract before they leave: they are not checked twice.
  return liveSocket().open(asked) as Promise<AsyncIterable<EventOf<K>>>;
}

/** As they would stand in an address. */
const texts = (part: object = {}) =>
  Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
