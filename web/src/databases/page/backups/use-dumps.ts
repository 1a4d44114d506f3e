import type { Database } from '@homeport/contract/databases/schema';
import { isOver } from '@homeport/contract/operations/facts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useApi } from '../../../data/use-api.ts';

const route = 'GET /api/databases/:id/dumps';

/** The dumps as the server lists them. They are listed again when work on the database has ended. */
export function useDumps({ id }: Pick<Database, 'id'>, enabled: boolean) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: onServerKey(route, id),
    queryFn: ({ signal }) => callOnServer(client, route, { params: { id } }, { quiet: true, signal }),
    enabled,
    refetchInterval: false,
  });
  const work = useApi('GET /api/operations', { query: { databaseId: id } }).data;
  const ended = work?.filter(({ state }) => isOver(state)).length;
  useEffect(() => {
    if (ended !== undefined) void client.invalidateQueries({ queryKey: onServerKey(route, id) });
  }, [client, id, ended]);
  return query;
}
