import { type ServerStatus, serverStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { useMemo } from 'react';
import { useApi } from '../data/use-api.ts';
import { useNow } from '../ui/text/use-now.ts';

export interface FleetLine {
  server: Server;
  stats: ServerStats | null;
  /** null until the stats could be read. That differs from having no stats. */
  status: ServerStatus | null;
}

/** The servers with their stats. Either may be known without the other. */
export function useFleet() {
  const servers = useApi('GET /api/servers');
  const dumps = useApi('GET /monitor/dumps');
  const now = useNow(10_000);
  const lines = useMemo(() => {
    const byServer = new Map(dumps.data?.map((stats) => [stats.serverId, stats]));
    return servers.data?.map((server): FleetLine => {
      const stats = byServer.get(server.id) ?? null;
      return { server, stats, status: dumps.data ? serverStatus(stats, now) : null };
    });
  }, [servers.data, dumps.data, now]);
  return { servers, dumps, lines, now };
}
