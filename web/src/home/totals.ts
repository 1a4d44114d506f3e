import { transferAllowanceGb } from '@homeport/contract/apps/plans';
import type { ServerStatus } from '@homeport/contract/servers/health';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { transferRate } from '../servers/transfer-rate.ts';

export interface Totals {
  servers: number;
  apps: number;
  /** Bytes. null until a server has reported. */
  ram: number | null;
  cpus: number | null;
  /** Bytes a second, summed over the online servers. */
  transfer: number | null;
  /** The traffic that the apps' plans allow, in GB a month. */
  allowanceGb: number;
  /** The number of servers that have reported. */
  reporting: number;
}

interface Line {
  status: ServerStatus | null;
  stats: ServerStats | null;
}

export function totalsOf(lines: readonly Line[], apps: readonly { plan: number | null }[]): Totals {
  const reports = lines.flatMap(({ stats }) => (stats ? [stats] : []));
  const online = lines.flatMap(({ stats, status }) => (stats && status === 'online' ? [stats] : []));
  return {
    servers: lines.length,
    apps: apps.length,
    ram: sum(reports.map(({ ram_total }) => ram_total)),
    cpus: sum(reports.map(({ cpu_cores }) => cpu_cores)),
    transfer: sum(online.map((stats) => transferRate({ ...stats, seconds: stats.gap_seconds }))),
    allowanceGb: apps.reduce((all, { plan }) => all + (plan === null ? 0 : transferAllowanceGb(plan)), 0),
    reporting: reports.length,
  };
}

/** The sum of the known values. null if none is known. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((all, value) => all + value, 0);
}
