import { horizons } from '@homeport/contract/horizons';
import { chartPoints } from '@homeport/contract/limits';
import {
  type AppStats,
  type DatabaseStats,
  monitorRoutes,
  type ServerStats,
  type ServerStatsWithSeries,
  type Timeseries,
} from '@homeport/contract/stats/schema';
import {
  type AppStatsRow,
  type DatabaseStatsRow,
  type OwnerRead,
  readAppStats,
  readDatabaseStats,
  readDatabaseUse,
  readMeasured,
  readPoints,
  readStats,
  type SeriesKind,
  type SeriesPoint,
  type StatsRow,
} from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problem.ts';
import { storageOf } from '../reports/app-storage.ts';
import { readLatest } from '../reports/latest.ts';
import { asOwner, findDatabase, ownsApp, type StatsDeps } from './as-owner.ts';

/** The stats of the signed-in person's own servers. Other people's servers are not found. */
export async function statsRoutes(app: FastifyInstance, deps: StatsDeps): Promise<void> {
  app.get('/monitor/dumps', async (request, reply) => {
    const query = monitorRoutes['GET /monitor/dumps'].query.safeParse(request.query);
    if (!query.success)
      return sendProblem(reply, 'invalid_input', 'servers: monitor ids, separated by commas');
    const ids = query.data.servers === undefined ? null : query.data.servers.split(',').filter(Boolean);
    return asOwner(deps, request, reply, async (scope) => {
      const rows = await readStats(scope, ids, chartPoints);
      return rows.map(serverStats);
    });
  });

  app.get('/monitor/dump/:monitorId', async (request, reply) => {
    const params = monitorRoutes['GET /monitor/dump/:monitorId'].params.safeParse(request.params);
    return asOwner(deps, request, reply, async (scope) => {
      const id = params.success ? params.data.monitorId : null;
      const [row] = id === null ? [] : await readStats(scope, [id], chartPoints);
      if (!row) return sendProblem(reply, 'not_found', 'There are no stats under this id.');
      return {
        ...serverStats(row),
        timeseries: await timeseries(scope, 'server', row.series),
      } satisfies ServerStatsWithSeries;
    });
  });

  appStatsRoute(app, deps);
  databaseStatsRoute(app, deps);
}

function appStatsRoute(app: FastifyInstance, deps: StatsDeps): void {
  app.get('/monitor/apps', (request, reply) => asOwner(deps, request, reply, readMeasured));

  app.get('/monitor/apps/:monitorId', async (request, reply) => {
    const params = monitorRoutes['GET /monitor/apps/:monitorId'].params.safeParse(request.params);
    return asOwner(deps, request, reply, async (scope) => {
      const id = params.success ? params.data.monitorId : null;
      if (id === null || !(await ownsApp(scope, id))) {
        return sendProblem(reply, 'not_found', 'There are no stats under this id.');
      }
      const row = await readAppStats(scope, id);
      if (!row) return { stats: null };
      const stats = {
        ...appStats(id, row),
        timeseries: await timeseries(scope, 'app', row.series),
      } satisfies AppStats;
      return { stats };
    });
  });
}

function databaseStatsRoute(app: FastifyInstance, deps: StatsDeps): void {
  app.get('/monitor/databases', (request, reply) =>
    asOwner(deps, request, reply, async (scope) =>
      (await readDatabaseUse(scope)).map(({ id, updated, cpuPercent, memoryBytes }) => ({
        id,
        updated,
        CPU_PERCENT: cpuPercent,
        MEM: memoryBytes,
      })),
    ),
  );

  app.get('/monitor/databases/:id', async (request, reply) => {
    const params = monitorRoutes['GET /monitor/databases/:id'].params.safeParse(request.params);
    return asOwner(deps, request, reply, async (scope) => {
      const database = params.success ? await findDatabase(scope, params.data.id) : undefined;
      if (!database) return sendProblem(reply, 'not_found', 'There are no stats under this id.');
      const row = await readDatabaseStats(scope, database);
      if (!row) return { stats: null };
      const stats = {
        ...containerStats(row),
        timeseries: await timeseries(scope, 'app', row.series),
      } satisfies DatabaseStats;
      return { stats };
    });
  });
}

function serverStats(row: StatsRow): ServerStats {
  return {
    ...readLatest(row.latest),
    key: row.monitorId,
    serverId: row.serverId,
    installed: row.installedAt,
    recent_load: row.recentLoad,
  };
}

function appStats(
  monitorId: string,
  { latest, containers, ...row }: AppStatsRow,
): Omit<AppStats, 'timeseries'> {
  const storage = storageOf(latest, containers);
  return {
    ...containerStats(row),
    key: monitorId,
    STORAGE: storage?.bytes ?? null,
    storage_measured: storage?.measuredAt ?? null,
  };
}

/** What the reports say of the containers of an app or a database. */
function containerStats({
  ts,
  cpu_percent,
  mem_usage,
  mem_percent,
  received,
  sent,
}: DatabaseStatsRow): Omit<DatabaseStats, 'timeseries'> {
  return {
    updated: ts,
    CPU_PERCENT: cpu_percent,
    MEM: mem_usage,
    // The percentage is stored with seven digits, so the limit is exact to a KiB.
    MEM_LIMIT: mem_usage && mem_percent ? Math.round(mem_usage / mem_percent / 10.24) * 1024 : null,
    MEM_PERCENT: mem_percent,
    NET_IO: { rx: received, tx: sent },
  };
}

type Point<K extends SeriesKind> = Omit<SeriesPoint<K>, 'series' | 'rx' | 'tx'> & {
  rx_gap: number | null;
  tx_gap: number | null;
};

async function timeseries<K extends SeriesKind>(scope: OwnerRead, kind: K, series: number) {
  const answer: Record<keyof Timeseries, Point<K>[]> = { all: [], hourly: [], daily: [], monthly: [] };
  for (const horizon of horizons)
    answer[horizon] = (await readPoints(scope, kind, series, horizon, chartPoints)).map(point);
  return answer;
}

function point<K extends SeriesKind>({ series: _series, rx, tx, ...measured }: SeriesPoint<K>): Point<K> {
  return { ...measured, rx_gap: rx, tx_gap: tx };
}
