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
export function firstData(client: QueryClient, ...keys: readonly FirstKey[]): Promise<void> {
  return firstAnswers(client, ...keys.map((key) => firstRead(key)));
}

/** A read of one route with its input, for `firstAnswers`. */
interface FirstRead {
  queryKey: QueryKey;
  start: (client: QueryClient) => Promise<void>;
}

export function firstRead<K extends GetKey>(key: K, ...input: CallArgs<K>): FirstRead {
  const query = apiQuery(key, ...input);
  return { queryKey: query.queryKey, start: (client) => client.prefetchQuery(query) };
}

/** As `firstData`, for routes with an input. */
export async function firstAnswers(client: QueryClient, ...reads: readonly FirstRead[]): Promise<void> {
  const missing = reads.filter(({ queryKey }) => !client.getQueryData(queryKey));
  if (missing.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitAtMostMs);
  });
  await Promise.race([Promise.all(missing.map(({ start }) => start(client))), waited]);
  clearTimeout(timer);
}
