import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onServerKey } from '../../data/query-keys.ts';
import type { RouteKey } from '../../data/route-types.ts';
import { useApi } from '../../data/use-api.ts';
import { lastToReadAfter } from './last-to-read-after.ts';

/**
 * The server's answer about a database, which `ask` fetches over the connection. The server is asked again when work on the
 * database has ended.
 */
export function useReadByServer<Answer>(
  route: RouteKey,
  id: string,
  enabled: boolean,
  ask: (client: QueryClient, signal: AbortSignal) => Promise<Answer>,
) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: onServerKey(route, id),
    queryFn: ({ signal }) => ask(client, signal),
    enabled,
    refetchInterval: false,
  });
  const work = useApi('GET /api/operations', { query: { databaseId: id } }).data;
  const ended = lastToReadAfter(work ?? []);
  useEffect(() => {
    if (ended !== null) void client.invalidateQueries({ queryKey: onServerKey(route, id) });
  }, [client, route, id, ended]);
  return query;
}
