import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallArgs, call } from '../data/call.ts';
import { renewAfterAct } from '../data/live/renew-topic.ts';
import type { RouteInput, RouteKey, RouteOutput } from '../data/route-types.ts';
import { topicOf } from '../data/route-url.ts';
import { type ConnectOptions, connectTo } from './connect.ts';
import { failed } from './opening-state.ts';
import { withConnection } from './with-connection.ts';

/**
 * Calls a route that acts on a server. If the console has no connection, the page opens the connection that
 * the answer names and repeats the call once. With `quiet` the page asks the user nothing.
 *
 * @throws ApiProblem for failures of the call, NoConnection if no connection could be opened.
 */
export function callOnServer<K extends RouteKey>(
  client: QueryClient,
  key: K,
  input: RouteInput<K>,
  options: ConnectOptions = {},
): Promise<RouteOutput<K>> {
  return reachServer(
    client,
    () => call(key, ...([input, options.signal ? { signal: options.signal } : {}] as unknown as CallArgs<K>)),
    options,
  );
}

/** As `callOnServer`, for anything that the console answers with `connection_required`. */
export function reachServer<T>(
  client: QueryClient,
  ask: () => Promise<T>,
  options: ConnectOptions = {},
): Promise<T> {
  return withConnection(ask, async (needed) => {
    if (!needed) return failed('protocol', 'The console did not say which connection it needs.');
    const server = await call('GET /api/servers/:id', { params: { id: needed.serverId } });
    return connectTo(client, server, needed.user, options);
  });
}

type ActKey = Exclude<RouteKey, `GET ${string}`>;

export interface ServerCallOptions<K extends ActKey> {
  onDone?: (reply: RouteOutput<K>, input: RouteInput<K>) => void;
  /** Without a handler, the caller shows `error` beside the control that started the act. */
  onFailed?: (error: Error) => void;
}

/**
 * `useAct` for acts on a server: `const stop = useServerCall('POST /api/apps/:id/stop')`. `connecting` is
 * true while the page opens the connection. The button then says "Connecting".
 */
export function useServerCall<K extends ActKey>(key: K, { onDone, onFailed }: ServerCallOptions<K> = {}) {
  const client = useQueryClient();
  const [connecting, setConnecting] = useState(false);
  const act = useMutation<RouteOutput<K>, Error, RouteInput<K>>({
    mutationKey: [key],
    mutationFn: (input) =>
      callOnServer(client, key, input, {
        onState: (state) => setConnecting(state.status !== 'ready' && state.status !== 'failed'),
      }).finally(() => setConnecting(false)),
    onSuccess: (reply, input) => onDone?.(reply, input),
    onError: (error) => onFailed?.(error),
    onSettled: (reply) => renewAfterAct(client, topicOf(key), reply),
  });
  return { ...act, connecting };
}
