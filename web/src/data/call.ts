import { learnConsoleTime } from '../ui/text/console-time.ts';
import { problemOf, unreachable } from './api-problem.ts';
import type { RouteInput, RouteKey, RouteOutput } from './route-types.ts';
import { routeUrl } from './route-url.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * The document has requested this already (`<link rel="preload">`). The browser hands the answer to this
   * call.
   */
  preloaded?: boolean;
}

/** A route without params, query and body is called without input. */
export type CallArgs<K extends RouteKey> =
  Record<never, never> extends RouteInput<K>
    ? [input?: RouteInput<K> | undefined, options?: CallOptions]
    : [input: RouteInput<K>, options?: CallOptions];

/**
 * Calls a route of the console: `call('GET /api/servers/:id', { params: { id } })`.
 *
 * @throws ApiProblem for every failure, also if the console cannot be reached; DOMException when aborted.
 */
export async function call<K extends RouteKey>(
  key: K,
  ...[input, options]: CallArgs<K>
): Promise<RouteOutput<K>> {
  const parts: { params?: unknown; query?: unknown; body?: unknown } = input ?? {};
  const { method, url } = routeUrl(key, parts);
  const init: RequestInit = {
    method,
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    // The page caches no answer of the api in the browser. With the cache, a browser would send the same
    // request of several tabs one after the other. Firefox hands over a preloaded answer in the default mode
    // only.
    cache: options?.preloaded ? 'default' : 'no-store',
  };
  if (options?.signal) init.signal = options.signal;
  if (parts.body !== undefined) {
    init.body = JSON.stringify(parts.body);
    init.headers = { ...init.headers, 'content-type': 'application/json' };
  }
  // A preloaded answer may be as old as the document.
  const sentAt = options?.preloaded ? performance.timeOrigin : Date.now();
  const response = await fetch(url, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  learnConsoleTime(response.headers.get('date'), sentAt, Date.now());
  if (!response.ok) throw await problemOf(response);
  // The api checks its own answers against the contract before they leave, so the page does not check them
  // again.
  return (response.status === 204 ? undefined : await response.json()) as RouteOutput<K>;
}
