import type { App } from '@homeport/contract/apps/schema';
import type { ServerWithStats } from '../../data/server-status.ts';
import { formatBytes, formatClock } from '../../ui/text/format.ts';

export interface ServerOffer extends ServerWithStats {
  /** "4 apps, 2.1 GB RAM free" */
  note: string;
  /** Why the server accepts no new app now. null when it accepts one. */
  refusal: string | null;
}

/** Each server with its free resources, or with the reason why it accepts no app. */
export function offerServers(servers: readonly ServerWithStats[], apps: readonly App[]): ServerOffer[] {
  return servers.map((each) => ({ ...each, note: noteOf(each, apps), refusal: refusalOf(each) }));
}

function refusalOf({ server, stats, status }: ServerWithStats): string | null {
  if (server.simulated) return 'Simulated: there is no machine';
  if (server.metal) return 'Bare metal: no app platform';
  if (server.setup !== 'ready') return 'Dokku is not installed yet';
  if (status === 'offline' && stats) return `Offline since ${formatClock(stats.update_time)}`;
  return null;
}

function noteOf({ server, stats }: ServerWithStats, apps: readonly App[]): string {
  const count = apps.filter((app) => app.serverId === server.id).length;
  const free =
    stats?.ram_total != null && stats.ram_usage != null
      ? Math.max(0, stats.ram_total - stats.ram_usage)
      : null;
  const parts = [
    `${count} ${count === 1 ? 'app' : 'apps'}`,
    free === null ? 'no RAM data' : `${formatBytes(free)} RAM free`,
  ];
  return parts.join(', ');
}

/**
 * The available server that `?server=` names by key or id. Otherwise the only available server, if there is
 * exactly one.
 */
export function initialServer(offers: readonly ServerOffer[], wanted: string | undefined): string | null {
  const able = offers.filter((offer) => offer.refusal === null);
  const named = able.find(({ server }) => server.key === wanted || server.id === wanted);
  return (named ?? (able.length === 1 ? able[0] : undefined))?.server.id ?? null;
}
