import type { Database } from '@homeport/contract/databases/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useAct } from '../../../data/use-api.ts';
import { useReadByServer } from '../use-read-by-server.ts';

const route = 'GET /api/databases/:id/schedule';

/** The schedule as the server tells it, read again when work on the database has ended. */
export function useServerSchedule({ id }: Pick<Database, 'id'>, enabled: boolean) {
  const query = useReadByServer(route, id, enabled, (client, signal) =>
    callOnServer(client, route, { params: { id } }, { quiet: true, signal }),
  );
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
