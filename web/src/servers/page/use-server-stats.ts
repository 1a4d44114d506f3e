import { serverStatsEveryMs } from '@homeport/contract/limits';
import { type ServerStatus, serverStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import type { ServerStats, StatsPoint, Timeseries } from '@homeport/contract/stats/schema';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../data/api-query.ts';
import { useApi } from '../../data/use-api.ts';
import { useNow } from '../../ui/text/use-now.ts';

/** The stats of one server and the state of their loading. */
export interface ServerStatsView {
  status: ServerStatus;
  /** The latest report. null if there never was one, undefined until known. */
  stats: ServerStats | null | undefined;
  timeseries: Timeseries | null;
  /** The single reports that are loaded, oldest first. */
  points: readonly StatsPoint[];
  /** Why the last reading failed. */
  error: Error | null;
  retry: () => void;
}

/**
 * The latest report comes at once, from the list that every page loads. The server's series follow. Changes
 * renew both, and so does a timer of 180 s.
 */
export function useServerStats(server: Pick<Server, 'id' | 'monitorId'>): ServerStatsView {
  const now = useNow(10_000);
  const dumps = useApi('GET /monitor/dumps');
  const listed = dumps.data?.find((stats) => stats.serverId === server.id);
  const dump = useQuery({
    ...apiQuery('GET /monitor/dump/:monitorId', { params: { monitorId: server.monitorId ?? '' } }),
    // Before the first report there is nothing to read.
    enabled: server.monitorId !== null && listed !== undefined,
    refetchInterval: serverStatsEveryMs,
  });
  const reads = [dump.data, listed].filter((each) => each !== undefined);
  const newest = reads.toSorted((a, b) => b.update_time - a.update_time)[0];
  const stats = newest ?? (dumps.data ? null : undefined);
  return {
    status: serverStatus(stats, now),
    stats,
    timeseries: dump.data?.timeseries ?? null,
    points: dump.data?.timeseries.all ?? [],
    error: dumps.error ?? dump.error,
    retry: () => {
      void dumps.refetch();
      if (listed) void dump.refetch();
    },
  };
}
