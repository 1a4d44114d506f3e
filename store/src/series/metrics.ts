import type { Aggregate, Horizon } from '@homeport/contract/horizons';

/** The measured values of a server and of an app. The tables of `series` have a column for each (`0002_series.sql`). */
export const metricsOf = {
  server: [
    'load_avg',
    'load_cpu',
    'load_io',
    'ram_usage',
    'swap_usage',
    'disk_usage',
    'ping_us',
    'ping_eu',
    'ping_as',
  ],
  app: ['cpu_percent', 'mem_usage', 'mem_percent'],
} as const;

export type SeriesKind = keyof typeof metricsOf;
export type Metric<K extends SeriesKind> = (typeof metricsOf)[K][number];

/** One report's row: the bytes received and sent since the report before, over `seconds`. */
export type RawRow<K extends SeriesKind> = {
  series: number;
  ts: number;
  seconds: number;
  rx: number | null;
  tx: number | null;
} & Record<Metric<K>, number | null>;

/** The table of a kind's points. The migrations call the one of single reports and checks `raw`. */
export function tableOf(kind: SeriesKind | 'check', horizon: Horizon): string {
  return `series.${kind}_${horizon === 'all' ? 'raw' : horizon}`;
}

export const dayMs = 86_400_000;

/** SQL for the start of a row's bucket, in UTC. */
export const bucketSql = {
  hourly: 'ts - ts % 3600000',
  daily: 'ts - ts % 86400000',
  monthly: "(extract(epoch from date_trunc('month', to_timestamp(ts / 1000.0), 'UTC')) * 1000)::bigint",
} as const satisfies Record<Aggregate, string>;

/** `bigint` for bytes, `real` for everything else. */
export function columnType(metric: string): 'real' | 'bigint' {
  return metric.endsWith('_usage') ? 'bigint' : 'real';
}
