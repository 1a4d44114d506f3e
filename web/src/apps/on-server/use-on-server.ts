import { isOver } from '@homeport/contract/operations/facts';
import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../connections/call-on-server.ts';
import { useConnectionState } from '../../connections/connection-state.ts';
import { NoConnection } from '../../connections/with-connection.ts';
import { onServerKey } from '../../data/query-keys.ts';
import type { RouteInput, RouteOutput } from '../../data/route-types.ts';
import { useApi } from '../../data/use-api.ts';
import type { AppPlace } from './app-place.ts';

export type ServerRoute =
  | 'GET /api/apps/:id/environment'
  | 'GET /api/apps/:id/deploys'
  | 'GET /api/apps/:id/readme'
  | 'GET /api/apps/:id/resources'
  | 'GET /api/apps/:id/system'
  | 'GET /api/apps/:id/storage'
  | 'GET /api/apps/:id/ports';

/** What a section knows of the server's answer. */
export type OnServer<T> =
  | { kind: 'simulated' }
  | { kind: 'unconnected' }
  | { kind: 'loading' }
  | { kind: 'failed'; error: Error; retry: () => void }
  | { kind: 'ready'; data: T };

export interface ServerView<T> {
  state: OnServer<T>;
  /** The cache key of the answer, for a change that brings a new answer along. */
  queryKey: QueryKey;
}

/**
 * Reads a fact about an app from its server, without asking the user and only while a connection is open.
 * Every reading runs commands on the server. Therefore the page does not poll: it reads again after each
 * deploy and after each operation on the app.
 */
export function useOnServer<K extends ServerRoute>(
  route: K,
  { app, server }: AppPlace,
): ServerView<RouteOutput<K>> {
  const client = useQueryClient();
  const connection = useConnectionState(server)?.kind;
  const operations = useApi('GET /api/operations', { query: { appId: app.id } });
  // A destruction deletes the app and its operations, so there is nothing left to read.
  const over = operations.data?.find(({ kind, state }) => kind !== 'app.destroy' && isOver(state));
  const [lastOver, setLastOver] = useState(over?.id ?? null);
  if (over && over.id !== lastOver) setLastOver(over.id);
  // Kept apart from the topics of the console's own records, because a changed record says nothing about the
  // server.
  const queryKey = onServerKey(route, app.id, lastOver, app.stopped, app.crash?.at, app.deployment.at);
  const query = useQuery<RouteOutput<K>>({
    queryKey,
    queryFn: ({ signal }) =>
      callOnServer(client, route, { params: { id: app.id } } as RouteInput<K>, { quiet: true, signal }),
    enabled: connection === 'connected' && !operations.isPending,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnReconnect: false,
    // Values of variables are secrets, so the cache drops them as soon as no page shows them.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  return { state: stateOf(query, connection), queryKey };
}

function stateOf<T>(
  query: { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown },
  connection: string | undefined,
): OnServer<T> {
  if (connection === 'simulated') return { kind: 'simulated' };
  if (query.data !== undefined && !query.error) return { kind: 'ready', data: query.data };
  if (connection === undefined || query.isFetching) return { kind: 'loading' };
  if (connection !== 'connected' || query.error instanceof NoConnection) return { kind: 'unconnected' };
  if (query.error) return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
  return { kind: 'loading' };
}
