import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { type CallArgs, call } from './call.ts';
import type { FirstKey } from './first-keys.ts';
import type { RouteKey, RouteOutput } from './route-types.ts';
import { topicOf } from './route-url.ts';

export type GetKey = Extract<RouteKey, `GET ${string}`>;

/** `[topic, route, input]`. A live change of a topic renews every query whose key begins with the topic. */
export function queryKeyOf(key: RouteKey, input?: unknown): QueryKey {
  return [topicOf(key), key, input ?? null];
}

/** Options for `useQuery`, `ensureQueryData` and loaders. */
export function apiQuery<K extends GetKey>(key: K, ...[input]: CallArgs<K>) {
  return queryOptions<RouteOutput<K>>({
    queryKey: queryKeyOf(key, input),
    queryFn: ({ signal }) => call(key, ...([input, { signal }] as CallArgs<K>)),
  });
}

/** A loader delays its page by at most this long. After that the page shows skeletons. */
const waitAtMostMs = 300;

/**
 * For a page's loader: reads the data of the first drawing in advance, unless that takes too long. Known data
 * is not read again. The page itself shows a failure.
 */
export async function firstData(client: QueryClient, ...keys: readonly FirstKey[]): Promise<void> {
  const missing = keys.map((key) => apiQuery(key)).filter(({ queryKey }) => !client.getQueryData(queryKey));
  if (missing.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitAtMostMs);
  });
  await Promise.race([Promise.all(missing.map((query) => client.prefetchQuery(query))), waited]);
  clearTimeout(timer);
}
