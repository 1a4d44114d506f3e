import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { type Horizon, horizons, metricsOf, type RawRow } from './metrics.ts';

/** A server's newest report; `latest` is JSON as it was written. */
export type StatsRow = {
  series: number;
  serverId: string;
  monitorId: string;
  latest: string;
  installedAt: number;
  recentLoad: (number | null)[];
};

/** The owner's servers that have reported; only those with the given monitor ids, where there are some. */
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

type Gauges = Record<(typeof metricsOf.server)[number], number | null>;
export type SeriesPoint = RawRow<'server'> & { min: Gauges; max: Gauges };

/** The last points of a server's series, oldest first. The caller has the id from `readStats`, which checked the owner. */
export async function readPoints(
  { db }: OwnerRead,
  series: number,
  horizon: Horizon | 'raw',
  points: number,
): Promise<SeriesPoint[]> {
  const columns = horizon === 'raw' ? rawSelect : rollUpSelect;
  const { rows } = await sql<SeriesPoint>`
    select * from (
      select series, ts, seconds::integer as seconds, rx, tx, ${sql.raw(columns)}
      from ${sql.raw(`series.server_${horizon}`)} where series = ${series} order by ts desc limit ${points}
    ) newest order by ts`.execute(db);
  return rows;
}

export const pointHorizons = ['raw', ...horizons] as const;

const object = (value: (metric: string) => string) =>
  `json_build_object(${metricsOf.server.map((metric) => `'${metric}', ${value(metric)}`).join(', ')})`;

const rawSelect = [
  ...metricsOf.server,
  `${object((metric) => metric)} as min`,
  `${object((metric) => metric)} as max`,
].join(', ');

const rollUpSelect = [
  ...metricsOf.server.map((metric) => `${metric}_sum / nullif(${metric}_weight, 0) as ${metric}`),
  `${object((metric) => `${metric}_min`)} as min`,
  `${object((metric) => `${metric}_max`)} as max`,
].join(', ');
