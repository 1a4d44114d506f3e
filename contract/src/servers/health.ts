import { staleAfterMs, usageBand } from '../limits.ts';
import { messages } from '../states/messages.ts';
import type { LatestStats, StatsPoint } from '../stats/schema.ts';

export const serverStatuses = ['online', 'offline', 'no-data'] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/**
 * The status of a server, for every page. A server is online while its status is active and its stats are
 * under five minutes old.
 */
export function serverStatus(
  stats: Pick<LatestStats, 'status' | 'update_time'> | null | undefined,
  now: number,
): ServerStatus {
  if (!stats) return 'no-data';
  return stats.status === 'active' && now - stats.update_time < staleAfterMs ? 'online' : 'offline';
}

const statusTexts: Record<ServerStatus, string> = {
  online: messages.online,
  offline: messages.offline,
  'no-data': messages.noData,
};

/** "Online", "Offline", "No data found". */
export const serverStatusText = (status: ServerStatus): string => statusTexts[status];

export type HealthNotice =
  | { kind: 'offline'; band: 'danger'; since: number }
  | {
      kind: 'usage';
      band: 'warning' | 'danger';
      of: 'load' | 'ram' | 'disk';
      percent: number;
      since: number | null;
    }
  | { kind: 'gap'; band: 'info'; from: number; to: number };

type Measured = Pick<
  LatestStats,
  | 'status'
  | 'update_time'
  | 'load_percent'
  | 'ram_percent'
  | 'disk_percent'
  | 'cpu_cores'
  | 'ram_total'
  | 'disk_total'
>;

/**
 * What deserves attention about a server, the most urgent first.
 *
 * @param points the single reports at hand (`timeseries.all`), oldest first; without them there is no time of
 * crossing, and there are no gaps
 */
export function healthNotices(stats: Measured, points: readonly StatsPoint[], now: number): HealthNotice[] {
  const notices: HealthNotice[] = [];
  if (serverStatus(stats, now) === 'offline')
    notices.push({ kind: 'offline', band: 'danger', since: stats.update_time });
  for (const { of, percent, total, value } of usages(stats)) {
    const band = percent === null ? 'info' : usageBand(percent);
    if (percent === null || band === 'info') continue;
    notices.push({
      kind: 'usage',
      band,
      of,
      percent,
      since: total ? crossedAt(points, value, total, band) : null,
    });
  }
  const rank = { danger: 0, warning: 1, info: 2 };
  return [...notices, ...gaps(points)].sort((a, b) => rank[a.band] - rank[b.band]);
}

function usages(stats: Measured) {
  return [
    { of: 'load', percent: stats.load_percent, total: stats.cpu_cores, value: (p: StatsPoint) => p.load_avg },
    { of: 'ram', percent: stats.ram_percent, total: stats.ram_total, value: (p: StatsPoint) => p.ram_usage },
    {
      of: 'disk',
      percent: stats.disk_percent,
      total: stats.disk_total,
      value: (p: StatsPoint) => p.disk_usage,
    },
  ] as const;
}

/**
 * The first point of the unbroken run in this band or worse; null if the run began before the first point.
 */
function crossedAt(
  points: readonly StatsPoint[],
  value: (point: StatsPoint) => number | null,
  total: number,
  band: 'warning' | 'danger',
): number | null {
  const below = points.findLastIndex((point) => {
    const now = usageBand(((value(point) ?? 0) / total) * 100);
    return now === 'info' || (band === 'danger' && now === 'warning');
  });
  return below === -1 ? null : (points[below + 1]?.ts ?? null);
}

/** Times between two reports that are longer than the limit for Offline. */
function gaps(points: readonly StatsPoint[]): HealthNotice[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const gone = before !== undefined && point.ts - before.ts > staleAfterMs;
    return gone ? [{ kind: 'gap', band: 'info', from: before.ts, to: point.ts } as const] : [];
  });
}
