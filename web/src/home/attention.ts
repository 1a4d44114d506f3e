import type { AppState } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { type DatabaseStatus, databaseStatusText, isDatabaseDown } from '@homeport/contract/databases/health';
import type { Database } from '@homeport/contract/databases/schema';
import { daysToCertificateEnd } from '@homeport/contract/notifications/kinds';
import type { ProxySummary } from '@homeport/contract/proxies/schema';
import { healthNotices, type ServerStatus } from '@homeport/contract/servers/health';
import type { ServerStats } from '@homeport/contract/stats/schema';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { type AppTrouble, appTroubles } from '../apps/app-troubles.ts';
import {
  formatBytes,
  formatDateTime,
  formatLoad,
  formatPercent,
  formatWhenAndAge,
} from '../ui/text/format.ts';

export interface Notice {
  id: string;
  /** The page that says more. */
  about:
    | { serverKey: string }
    | { app: string; serverKey: string; trouble: AppTrouble['kind'] }
    | { database: string; id: string }
    | { proxy: string };
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
  return inOrder(notices);
}

function noticesOf(server: Line['server'], stats: ServerStats, now: number): Notice[] {
  const about = { about: { serverKey: server.key } };
  const notices = healthNotices(stats, [], now);
  const offline = notices.find(({ kind }) => kind === 'offline');
  // An offline server's other values are old, so nothing else is reported about it.
  if (offline) {
    const detail = `Last stats ${formatWhenAndAge(stats.update_time, now)}`;
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

type Down = Pick<
  Database,
  'id' | 'name' | 'longname' | 'serverId' | 'serverName' | 'links' | 'stopped' | 'state' | 'backupProblem'
>;

/**
 * The databases that do not run: those that nobody stopped first, then stopped ones that apps are linked to. Beside them those
 * whose scheduled backup failed or did not come.
 */
export function databaseAttention<D extends Down>(
  databases: readonly D[],
  statusOf: (database: D) => DatabaseStatus,
): Notice[] {
  const notices = databases.flatMap((database): Notice[] => {
    const { id, name, longname, serverName, links, backupProblem } = database;
    const backup: Notice[] = backupProblem
      ? [
          {
            id: `${id} backup`,
            about: { database: longname, id },
            band: 'danger',
            title: `${name}: ${backupProblem.kind === 'failed' ? 'backup failed' : 'backup did not come'}`,
            detail: `Scheduled on ${serverName}, ${formatDateTime(backupProblem.at)}`,
          },
        ]
      : [];
    const status = statusOf(database);
    const apps = links.length === 1 ? '1 app is linked' : `${links.length} apps are linked`;
    const isDown = isDatabaseDown(status);
    if (!isDown && !(status === 'paused' && links.length > 0)) return backup;
    return [
      ...backup,
      {
        id: `${id} database`,
        about: { database: longname, id },
        band: isDown ? 'danger' : 'warning',
        title: `${name}: ${databaseStatusText(status)}`,
        detail: `Database on ${serverName}, ${links.length === 0 ? 'no app is linked' : apps}`,
      },
    ];
  });
  return inOrder(notices);
}

/** The apps that crashed, do not answer, or have a failed deploy or a certificate that ends. */
export function appAttention(
  apps: readonly App[],
  stateOf: (app: App) => AppState,
  checked: readonly Uptime[],
  now: number,
): Notice[] {
  const byApp = new Map(checked.map((each) => [each.appId, each]));
  const notices = apps.flatMap((app) =>
    appTroubles(app, stateOf(app), byApp.get(app.id), now).map(
      ({ kind, band, label, detail }): Notice => ({
        id: `${app.id} app ${kind}`,
        about: { app: app.longname, serverKey: app.serverKey, trouble: kind },
        band,
        title: `${app.name}: ${label}`,
        detail,
      }),
    ),
  );
  return inOrder(notices);
}

/** The proxies behind which something fails, and served domains whose checks fail or whose certificate ends soon. */
export function proxyAttention(
  proxies: readonly Pick<ProxySummary, 'id' | 'name' | 'domain' | 'standing'>[],
  now: number,
): Notice[] {
  return proxies.flatMap(({ id, name, domain, standing }): Notice[] => {
    const about = { about: { proxy: id } };
    const { state, reason, certificate } = standing;
    const days = certificate === null ? null : daysToCertificateEnd(certificate, now);
    return [
      ...(state === 'failing'
        ? [
            {
              ...{ ...about, id: `${id} proxy`, band: 'danger' as const, title: `${name}: Failing` },
              detail: reason ?? `The domain ${domain} is served, and something behind it fails.`,
            },
          ]
        : []),
      ...(days === null
        ? []
        : [
            {
              ...{ ...about, id: `${id} certificate`, band: 'warning' as const },
              title: `${name}: certificate ends soon`,
              detail: `Within ${days === 1 ? '1 day' : `${days} days`}, and it was not renewed`,
            },
          ]),
    ];
  });
}

/** The most urgent first: servers before apps, databases and proxies of the same urgency. */
export function inOrder(...groups: readonly (readonly Notice[])[]): Notice[] {
  const rank = ({ id, band }: Notice) => (id.endsWith(' offline') ? 0 : band === 'danger' ? 1 : 2);
  return groups.flat().sort((a, b) => rank(a) - rank(b));
}

/** What the panel says without any notice: all is clear only where all is known. */
export function quietText(
  statuses: readonly (ServerStatus | null)[],
  read: { apps: boolean; databases: boolean; proxies: boolean },
): string {
  const offline = statuses.filter((status) => status === 'offline').length;
  const unreported = statuses.filter((status) => status === null || status === 'no-data').length;
  const sentences = [
    ...(offline > 0 ? [offline === 1 ? '1 server is offline.' : `${offline} servers are offline.`] : []),
    ...(unreported > 0
      ? [unreported === 1 ? '1 server has not reported yet.' : `${unreported} servers have not reported yet.`]
      : []),
    ...(read.apps && read.databases && read.proxies ? [] : ['Not everything was read yet.']),
  ];
  if (sentences.length === 0) return 'All clear.';
  const rest = offline > 0 ? 'Nothing else is known to be wrong.' : 'Nothing is known to be wrong.';
  return [rest, ...sentences].join(' ');
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
