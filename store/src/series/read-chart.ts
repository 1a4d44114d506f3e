import type { ChartMeasure, ChartSource } from '@homeport/contract/charts/facts';
import { type RawBuilder, sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { tableOf } from './metrics.ts';

/** The series of an owner's record. Null: nothing was measured yet. */
type Series = { series: number | null };

/** Undefined when the owner has no such server. */
export async function findServerSeries(
  { owner, db }: OwnerRead,
  monitorId: string,
): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select s.id as series from servers v left join series.server s on s.server_id = v.id
    where v.owner_id = ${owner} and v.monitor_id = ${monitorId}`.execute(db);
  return rows[0];
}

/** `checks` is the series of the checks from outside. Undefined when the owner has no such app. */
export async function findAppSeries(
  { owner, db }: OwnerRead,
  monitorId: string,
): Promise<(Series & { checks: number | null }) | undefined> {
  const { rows } = await sql<Series & { checks: number | null }>`
    select a.id as series, c.id as checks from apps p
    left join series.server s on s.server_id = p.server_id
    left join series.app a on a.server = s.id and a.name = p.longname
    left join checks c on c.app_id = p.id
    where p.owner_id = ${owner} and p.monitor_id = ${monitorId}`.execute(db);
  return rows[0];
}

/** Undefined when the owner has no such database. */
export async function findDatabaseSeries({ owner, db }: OwnerRead, id: string): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select a.id as series from databases d
    left join series.server s on s.server_id = d.server_id
    left join series.app a on a.server = s.id and a.name = series.database_name(d.type, d.longname)
    where d.owner_id = ${owner} and d.id = ${id}`.execute(db);
  return rows[0];
}

export type ChartKind = 'server' | 'app' | 'check';

/** How each measure is stored. A server and an app have measures of the same name in columns of their own. */
const columns = {
  server: {
    cpu: 'load_cpu',
    load: 'load_avg',
    'io-wait': 'load_io',
    ram: 'ram_usage',
    swap: 'swap_usage',
    disk: 'disk_usage',
    received: 'rx',
    sent: 'tx',
    'ping-eu': 'ping_eu',
    'ping-us': 'ping_us',
    'ping-asia': 'ping_as',
  } satisfies Record<ChartMeasure<'server'>, string>,
  app: {
    memory: 'mem_usage',
    'memory-share': 'mem_percent',
    cpu: 'cpu_percent',
    received: 'rx',
    sent: 'tx',
  } satisfies Record<ChartMeasure<'database'>, string>,
  check: { 'answer-time': 'total' },
} as const;

export type ChartRead = {
  kind: ChartKind;
  /** From one of the functions above, which check the owner. */
  series: number;
  measure: ChartMeasure;
  source: ChartSource;
  from: number;
  to: number;
};

export type ChartPoint = {
  ts: number;
  average: number | null;
  lowest: number | null;
  highest: number | null;
};

/** How many points a range has, counted up to one more than `most`. */
export async function countPoints(
  { db }: OwnerRead,
  { most, ...read }: Pick<ChartRead, 'kind' | 'series' | 'from' | 'to'> & { most: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from ${sql.raw(tableOf(read.kind, 'all'))}
      where series = ${read.series} and ts >= ${read.from} and ts < ${read.to} limit ${most + 1}) counted`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** The points of a range, oldest first, merged to `stepMs`. Null: every stored point is a point. */
export async function readChart(
  { db }: OwnerRead,
  read: ChartRead & { stepMs: number | null },
): Promise<ChartPoint[]> {
  const { rows } = await chartQuery(read).execute(db);
  return rows;
}

/** One index range of the partitions that hold the time. */
export function chartQuery({
  kind,
  series,
  measure,
  source,
  from,
  to,
  stepMs,
}: ChartRead & { stepMs: number | null }): RawBuilder<ChartPoint> {
  const column = (columns[kind] as Partial<Record<ChartMeasure, string>>)[measure];
  if (column === undefined) throw new Error(`The series of a ${kind} has no ${measure}.`);
  const { weight, sum, min, max } = partsOf(kind, column, source);
  const bucket = stepMs === null ? sql`ts` : sql`ts - ts % ${sql.lit(stepMs)}`;
  // A point that began before the range, and reaches into it, is a point of the range.
  const first = stepMs === null ? from : from - (from % stepMs);
  return sql<ChartPoint>`
    select ${bucket} as ts, (sum(${sql.raw(sum)}) / nullif(sum(${sql.raw(weight)}), 0))::double precision as average,
      min(${sql.raw(min)})::double precision as lowest, max(${sql.raw(max)})::double precision as highest
    from ${sql.raw(tableOf(kind, source === 'single' ? 'all' : source))}
    where series = ${series} and ts >= ${first} and ts < ${to} group by 1 order by 1`;
}

/** SQL of what one stored row adds to a point. */
function partsOf(kind: ChartKind, column: string, source: ChartSource) {
  if (column === 'rx' || column === 'tx')
    return {
      weight: `case when ${column} is null then 0 else seconds end`,
      sum: `${column}::double precision`,
      // Of traffic only the sum is kept.
      min: 'null::double precision',
      max: 'null::double precision',
    };
  if (source !== 'single')
    return {
      weight: kind === 'check' ? `${column}_n` : `${column}_weight`,
      sum: `${column}_sum`,
      min: `${column}_min`,
      max: `${column}_max`,
    };
  // A check that found the app down says nothing of its answer.
  const value = kind === 'check' ? `case when ok then ${column} end` : column;
  const weight = kind === 'check' ? '1' : 'greatest(seconds, 1)';
  return {
    weight: `case when ${value} is null then 0 else ${weight} end`,
    sum: `(${value})::double precision * ${weight}`,
    min: value,
    max: value,
  };
}
