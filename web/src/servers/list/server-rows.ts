import type { ServerStatus } from '@homeport/contract/servers/health';
import type { FleetLine } from '../use-fleet.ts';

export interface ServerFilter {
  /** Searched in the name, the description, the address and the place. Upper and lower case are equal. */
  words: string;
  status: ServerStatus | 'all';
}

export const noFilter: ServerFilter = { words: '', status: 'all' };

export interface FilteredServers {
  lines: FleetLine[];
  /** The number of servers in each status. The other filter stays in force. */
  counts: Record<ServerFilter['status'], number>;
}

export function filterServers(lines: readonly FleetLine[], { words, status }: ServerFilter): FilteredServers {
  const wanted = words.trim().toLowerCase();
  const counts: FilteredServers['counts'] = { all: 0, online: 0, offline: 0, 'no-data': 0 };
  const kept = lines.filter((line) => {
    const { name, description, ip, location, country, provider } = line.server;
    const texts = [name, description, ip, location, country ?? '', provider ?? ''];
    if (!texts.some((text) => text.toLowerCase().includes(wanted))) return false;
    counts.all += 1;
    if (line.status) counts[line.status] += 1;
    return status === 'all' || status === line.status;
  });
  return { lines: kept, counts };
}

const ranks: Record<ServerStatus, number> = { offline: 0, 'no-data': 1, online: 2 };

/** The order: offline servers, then servers without data, then the rest with the highest load first. */
export function urgency({ status, stats }: Pick<FleetLine, 'status' | 'stats'>): number | null {
  if (status === null) return null;
  const load = status === 'online' ? Math.min(stats?.load_percent ?? 0, 9_999) : 0;
  return ranks[status] * 10_000 - load;
}

export type Platform =
  | 'Dokku'
  | 'Bare metal'
  | 'Not installed yet'
  | 'Installation failed'
  | 'Installing'
  | 'Not known';

export function platformOf({
  server,
}: {
  server: Pick<FleetLine['server'], 'setup' | 'metal' | 'simulated' | 'credential'>;
}): Platform {
  if (server.credential === null && server.setup !== 'ready' && !server.simulated) return 'Not known';
  if (server.setup === 'new' && !server.simulated) return 'Not installed yet';
  if (server.setup === 'installing') return 'Installing';
  if (server.setup === 'failed') return 'Installation failed';
  return server.metal ? 'Bare metal' : 'Dokku';
}
