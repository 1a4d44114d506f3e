import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, type GetKey } from './api-query.ts';
import type { CallArgs } from './call.ts';
import { callConfirmed } from './call-confirmed.ts';
import { renewAfterAct } from './live/renew-topic.ts';
import type { RouteInput, RouteKey, RouteOutput } from './route-types.ts';
import { topicOf } from './route-url.ts';

type ActKey = Exclude<RouteKey, GetKey>;

/** `const servers = useApi('GET /api/servers')`: data, error, isPending, refetch, dataUpdatedAt. */
export function useApi<K extends GetKey>(key: K, ...args: CallArgs<K>) {
  return useQuery(apiQuery(key, ...args));
}

export interface ActOptions<K extends ActKey> {
  onDone?: (reply: RouteOutput<K>, input: RouteInput<K>) => void;
  /** Without a handler, the caller shows `error` beside the control that started the act. */
  onFailed?: (error: Error) => void;
}

/**
 * A changing call: `const add = useAct('POST /api/keys')`, then `add.mutate({ body })` or `await
 * add.mutateAsync(…)`. Afterwards the page reads everything of the route's topic again, on success and on
 * failure.
 */
export function useAct<K extends ActKey>(key: K, { onDone, onFailed }: ActOptions<K> = {}) {
  const client = useQueryClient();
  return useMutation<RouteOutput<K>, Error, RouteInput<K>>({
    mutationKey: [key],
    mutationFn: (input) => callConfirmed(key, ...([input] as unknown as CallArgs<K>)),
    onSuccess: (reply, input) => onDone?.(reply, input),
    onError: (error) => onFailed?.(error),
    onSettled: (reply) => renewAfterAct(client, topicOf(key), reply),
  });
}
