import type { Database } from '@homeport/contract/databases/schema';
import { isOver } from '@homeport/contract/operations/facts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useAct, useApi } from '../../../data/use-api.ts';

const route = 'GET /api/databases/:id/schedule';

/** The schedule as the server tells it, read again when work on the database has ended. */
export function useServerSchedule({ id }: Pick<Database, 'id'>, enabled: boolean) {
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
  useRecording(id, query.data?.kind === 'told' && !query.data.recorded ? query.dataUpdatedAt : null);
  return query;
}

/** Has the console record what the server told, once for each answer that differs. */
function useRecording(id: string, differsSince: number | null) {
  const { mutate } = useAct('POST /api/databases/:id/schedule/refresh');
  useEffect(() => {
    if (differsSince !== null) mutate({ params: { id } });
  }, [mutate, id, differsSince]);
}

/** Reads the schedule again after it was changed here. */
export function useScheduleChanged(id: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: onServerKey(route, id) });
}
