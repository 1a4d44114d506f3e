import { problemOf, unreachable } from './api-problem.ts';
import type { RouteInput, RouteKey, RouteOutput } from './route-types.ts';
import { routeUrl } from './route-url.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** The document has asked for it already (`<link rel="preload">`): the browser hands its answer to this call. */
  preloaded?: boolean;
}

/** Routes without params, query or body are called without input. */
export type CallArgs<K extends RouteKey> =
  Record<never, never> extends RouteInput<K>
    ? [input?: RouteInput<K> | undefined, options?: CallOptions]
    : [input: RouteInput<K>, options?: CallOptions];

/**
 * Calls a route of the console: `call('GET /api/servers/:id', { params: { id } })`.
 *
 * @throws ApiProblem for every failure, also when the console cannot be reached; DOMException when aborted.
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
    // No answer of the api is kept. Through its cache a browser would still send the same request of several tabs one after
    // the other, each once the one before is answered. Firefox hands a preloaded answer over in the default mode only.
    cache: options?.preloaded ? 'default' : 'no-store',
  };
  if (options?.signal) init.signal = options.signal;
  if (parts.body !== undefined) {
    init.body = JSON.stringify(parts.body);
    init.headers = { ...init.headers, 'content-type': 'application/json' };
  }
  const response = await fetch(url, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  if (!response.ok) throw await problemOf(response);
  // The api checks its own answers against the contract before they leave: they are not checked twice.
  return (response.status === 204 ? undefined : await response.json()) as RouteOutput<K>;
}
