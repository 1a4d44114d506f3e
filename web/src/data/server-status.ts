import { type ServerStatus, serverStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { useNow } from '../ui/text/use-now.ts';
import { useApi } from './use-api.ts';

export interface ServerWithStats {
  server: Server;
  /** The latest report. null before the first report. */
  stats: ServerStats | null;
  status: ServerStatus;
}

/**
 * Servers with their latest stats. undefined until both are known. A server without new reports becomes
 * Offline as time passes.
 */
export function useServersWithStats(): ServerWithStats[] | undefined {
  const servers = useApi('GET /api/servers').data;
  const dumps = useApi('GET /monitor/dumps').data;
  const now = useNow(10_000);
  if (!servers || !dumps) return undefined;
  const byServer = new Map(dumps.map((stats) => [stats.serverId, stats]));
  return servers.map((server) => {
    const stats = byServer.get(server.id) ?? null;
    return { server, stats, status: serverStatus(stats, now) };
  });
}
