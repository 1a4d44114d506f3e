import type { Horizon } from '@homeport/contract/horizons';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { type Metric, metricsOf, type RawRow, type SeriesKind, tableOf } from './metrics.ts';

/** A server's newest report. `latest` is the JSON that the monitor wrote. */
export type StatsRow = {
  series: number;
  serverId: string;
  monitorId: string;
  latest: string;
  installedAt: number;
  recentLoad: (number | null)[];
};

/** The owner's servers that have reported. With monitor ids given, only those servers. */
export async function readStats(
  { owner, db }: OwnerRead,
  monitorIds: readonly string[] | null,
  points: number,
): Promise<StatsRow[]> {
  const { rows } = await sql<StatsRow>`
    select s.id as series, v.id as "serverId", v.monitor_id as "monitorId", s.latest, s.installed_at as "installedAt",
      coalesce(recent.load, '{}') as "recentLoad"
    from servers v join series.server s on s.server_id = v.id
    left join lateral (
      select array_agg(load_avg order by ts) as load
      from (select ts, load_avg from series.server_raw r where r.series = s.id order by ts desc limit ${points}) newest
    ) recent on true
    where v.owner_id = ${owner} and v.monitor_id is not null and s.latest is not null
      and (${monitorIds === null} or v.monitor_id = any(${monitorIds ?? []}::text[]))
    order by v.created_at, v.id`.execute(db);
  return rows;
}

/**
 * The newest report of an app's containers, and the bytes that they received and sent since measuring began. `latest` is the JSON
 * that the monitor wrote of the server's newest report, `containers` the app's short container ids.
 */
export type AppStatsRow = RawRow<'app'> & {
  received: number;
  sent: number;
  latest: string;
  containers: string[];
};

/** Joins the newest point and the traffic in all to a row of `series.app` that is called `a`. */
const measured = sql`
    join lateral (select * from series.app_raw r where r.series = a.id order by ts desc limit 1) newest on true
    cross join lateral (
      select coalesce(sum(rx), 0)::bigint as received, coalesce(sum(tx), 0)::bigint as sent
      from series.app_monthly m where m.series = a.id) total`;

/** The owner's app with this monitor id. Undefined when the owner has no such app, or when it was not measured within two days. */
export async function readAppStats(
  { owner, db }: OwnerRead,
  monitorId: string,
): Promise<AppStatsRow | undefined> {
  const { rows } = await sql<AppStatsRow>`
    select newest.*, total.received, total.sent, coalesce(s.latest, '{}') as latest,
      array(select c.container_id from series.container c where c.app = a.id) as containers
    from apps p join series.server s on s.server_id = p.server_id
    join series.app a on a.server = s.id and a.name = p.longname
    ${measured}
    where p.owner_id = ${owner} and p.monitor_id = ${monitorId}`.execute(db);
  return rows[0];
}

/** The newest report of a database's container, and the bytes that it received and sent since measuring began. */
export type DatabaseStatsRow = Omit<AppStatsRow, 'latest' | 'containers'>;

/** Undefined when the owner has no such server, or when the database was not measured within two days. */
export async function readDatabaseStats(
  { owner, db }: OwnerRead,
  database: { serverId: string; type: string; longname: string },
): Promise<DatabaseStatsRow | undefined> {
  const { rows } = await sql<DatabaseStatsRow>`
    select newest.*, total.received, total.sent
    from servers v join series.server s on s.server_id = v.id
    join series.app a on a.server = s.id and a.name = series.database_name(${database.type}, ${database.longname})
    ${measured}
    where v.owner_id = ${owner} and v.id = ${database.serverId}`.execute(db);
  return rows[0];
}

export type DatabaseUse = {
  id: string;
  updated: number;
  cpuPercent: number | null;
  memoryBytes: number | null;
};

/** The newest point of each of the owner's databases that was measured within two days. */
export async function readDatabaseUse({ owner, db }: OwnerRead): Promise<DatabaseUse[]> {
  const { rows } = await sql<DatabaseUse>`
    select d.id, newest.ts as updated, newest.cpu_percent as "cpuPercent", newest.mem_usage as "memoryBytes"
    from databases d join series.server s on s.server_id = d.server_id
    join series.app a on a.server = s.id and a.name = series.database_name(d.type, d.longname)
    join lateral (select * from series.app_raw r where r.series = a.id order by ts desc limit 1) newest on true
    where d.owner_id = ${owner}
    order by d.created_at, d.id`.execute(db);
  return rows;
}

/** When a report last named each of the owner's apps: the point, or the beginning of the hour or day where it is older. */
export async function readMeasured({ owner, db }: OwnerRead): Promise<{ key: string; measuredAt: number }[]> {
  const { rows } = await sql<{ key: string; measuredAt: number }>`
    select p.monitor_id as key, newest.ts as "measuredAt"
    from apps p join series.server s on s.server_id = p.server_id
    join series.app a on a.server = s.id and a.name = p.longname
    cross join lateral (
      select coalesce(
        (select max(ts) from series.app_raw r where r.series = a.id),
        (select max(ts) from series.app_hourly h where h.series = a.id),
        (select max(ts) from series.app_daily d where d.series = a.id)) as ts) newest
    where p.owner_id = ${owner} and newest.ts is not null
    order by p.created_at, p.id`.execute(db);
  return rows;
}

type Gauges<K extends SeriesKind> = Record<Metric<K>, number | null>;
export type SeriesPoint<K extends SeriesKind> = RawRow<K> & { min: Gauges<K>; max: Gauges<K> };

/**
 * The last points of a server's or an app's series, oldest first. The id has to come from `readStats`, `readAppStats` or
 * `readDatabaseStats`, which check the owner.
 */
export async function readPoints<K extends SeriesKind>(
  { db }: OwnerRead,
  kind: K,
  series: number,
  horizon: Horizon,
  points: number,
): Promise<SeriesPoint<K>[]> {
  const columns = horizon === 'all' ? rawSelect(kind) : rollUpSelect(kind);
  const { rows } = await sql<SeriesPoint<K>>`
    select * from (
      select series, ts, seconds::integer as seconds, rx, tx, ${sql.raw(columns)}
      from ${sql.raw(tableOf(kind, horizon))} where series = ${series} order by ts desc limit ${points}
    ) newest order by ts`.execute(db);
  return rows;
}

const object = (kind: SeriesKind, value: (metric: string) => string) =>
  `json_build_object(${metricsOf[kind].map((metric) => `'${metric}', ${value(metric)}`).join(', ')})`;

const rawSelect = (kind: SeriesKind) =>
  [
    ...metricsOf[kind],
    `${object(kind, (metric) => metric)} as min`,
    `${object(kind, (metric) => metric)} as max`,
  ].join(', ');

const rollUpSelect = (kind: SeriesKind) =>
  [
    ...metricsOf[kind].map((metric) => `${metric}_sum / nullif(${metric}_weight, 0) as ${metric}`),
    `${object(kind, (metric) => `${metric}_min`)} as min`,
    `${object(kind, (metric) => `${metric}_max`)} as max`,
  ].join(', ');
