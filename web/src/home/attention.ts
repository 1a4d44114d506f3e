import { healthNotices } from '@homeport/contract/servers/health';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { formatAgo, formatBytes, formatLoad, formatPercent } from '../ui/text/format.ts';
import { sinceWhen } from './greeting.ts';

export interface Notice {
  id: string;
  serverKey: string;
  band: 'danger' | 'warning';
  title: string;
  detail: string;
}

interface Line {
  server: { key: string; name: string };
  stats: ServerStats | null;
}

/** The problems of all servers: offline first, then danger, then warnings. */
export function attention(lines: readonly Line[], now: number): Notice[] {
  const notices = lines.flatMap(({ server, stats }) => (stats ? noticesOf(server, stats, now) : []));
  const rank = ({ id, band }: Notice) => (id.endsWith(' offline') ? 0 : band === 'danger' ? 1 : 2);
  return notices.sort((a, b) => rank(a) - rank(b));
}

function noticesOf(server: Line['server'], stats: ServerStats, now: number): Notice[] {
  const about = { serverKey: server.key };
  const notices = healthNotices(stats, [], now);
  const offline = notices.find(({ kind }) => kind === 'offline');
  // An offline server's other values are old, so nothing else is reported about it.
  if (offline) {
    const today = now - stats.update_time < 86_400_000;
    const ago = today ? `, ${formatAgo(stats.update_time, now)}` : '';
    const detail = `Last stats ${today ? 'at' : 'on'} ${sinceWhen(stats.update_time, now)}${ago}`;
    const title = `${server.name} is offline`;
    return [{ ...about, id: `${server.key} offline`, band: 'danger', title, detail }];
  }
  return notices.flatMap((notice) => {
    if (notice.kind !== 'usage') return [];
    const { of, band, percent } = notice;
    const title = `${server.name} ${words[of]} at ${formatPercent(percent)}`;
    return [{ ...about, id: `${server.key} ${of}`, band, title, detail: detailOf(of, stats) }];
  });
}

const words = { load: 'CPU load', ram: 'RAM', disk: 'disk' } as const;

function detailOf(of: keyof typeof words, stats: ServerStats): string {
  if (of === 'load') {
    const cores = stats.cpu_cores === 1 ? '1 core' : `${stats.cpu_cores ?? '?'} cores`;
    return `Load ${formatLoad(stats.load[0])} on ${cores}`;
  }
  const [used, total] =
    of === 'ram' ? [stats.ram_usage, stats.ram_total] : [stats.disk_usage, stats.disk_total];
  return `${formatBytes(used)} of ${formatBytes(total)} used`;
}
