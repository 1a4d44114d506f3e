import { type DatabaseStatus, databaseStatus } from '@homeport/contract/databases/health';
import type { Database } from '@homeport/contract/databases/schema';
import { serverStatus } from '@homeport/contract/servers/health';
import { useMemo } from 'react';
import { useApi } from '../data/use-api.ts';
import { useNow } from '../ui/text/use-now.ts';

export type StatusOf = (database: Pick<Database, 'serverId' | 'stopped' | 'state'>) => DatabaseStatus;

/** The status of each database, from its record and from the time of its server's last report. */
export function useDatabaseStatuses(): StatusOf {
  const dumps = useApi('GET /monitor/dumps').data;
  const now = useNow(30_000);
  return useMemo(() => {
    const offline = new Set(
      dumps?.filter((stats) => serverStatus(stats, now) === 'offline').map(({ serverId }) => serverId),
    );
    return (database) => databaseStatus(database, offline.has(database.serverId) ? 'offline' : undefined);
  }, [dumps, now]);
}
