import type pg from 'pg';
import { columnType, dayMs, keptDays, metricsOf } from './metrics.ts';
import { rawColumns, rollUp } from './rollup-sql.ts';

export type HistoryOptions = {
  /** Ids in `series.server`. */
  series: readonly number[];
  now: number;
  /** When these servers stopped reporting. Defaults to `now`. */
  until?: number;
  days: number;
  intervalSeconds: number;
};

/**
 * Writes made-up history for simulated servers into all four horizons, by the same roll-ups as real reports. Every night is
 * quiet. Each seventh server was offline for a day, each fifth rebooted, each ninth has a full disk.
 */
export async function fillHistory(
  pool: pg.Pool,
  { series, now, until = now, days, intervalSeconds }: HistoryOptions,
): Promise<void> {
  const columns = rawColumns('server')
    .map(({ name }) => name)
    .join(', ');
  const sample = (seconds: number, backDays: number) =>
    samples(series, { now, until }, seconds, Math.min(days, backDays));
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into series.server_raw (${columns}) ${sample(intervalSeconds, keptDays.raw)} on conflict do nothing`,
    );
    await client.query(
      `with made as (${sample(1_800, keptDays.hourly)}) ${rollUp('server', 'hourly', 'made')}`,
    );
    // Four samples a day suffice to tell noon from night, so a thousand servers get a year of history within minutes.
    await client.query(`with made as (${sample(21_600, days)}) ${rollUp('server', 'daily', 'made')}`);
    await client.query(`with made as (${sample(43_200, days)}) ${rollUp('server', 'monthly', 'made')}`);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

const gib = 2 ** 30;

/** SQL for rows like raw ones, one every `seconds`. The SQL holds only numbers of our own. */
function samples(
  series: readonly number[],
  { now, until }: { now: number; until: number },
  seconds: number,
  days: number,
): string {
  const stepMs = seconds * 1000;
  const last = now - (now % stepMs);
  const first = Math.max(last - days * dayMs + stepMs, 0);
  const values: Record<(typeof metricsOf.server)[number], string> = {
    load_avg: 'busy * 4',
    load_cpu: 'busy * 100',
    load_io: 'noise * 4',
    ram_usage: `((0.35 + 0.3 * busy) * ${8 * gib})::bigint`,
    swap_usage: `(noise * ${gib / 8})::bigint`,
    disk_usage: `(case when s % 9 = 0 then 0.965 else 0.3 + 0.2 * (ts - ${first})::double precision / ${Math.max(1, last - first)} end * ${80 * gib})::bigint`,
    ping_us: '95 + 20 * noise',
    ping_eu: '12 + 6 * noise',
    ping_as: 'case when s % 11 = 0 then null else 180 + 30 * noise end',
  };
  const traffic = (share: number) =>
    `case when restarted then null else (busy * ${Math.round(seconds * 250_000 * share)})::bigint end`;
  const metrics = metricsOf.server.map((metric) => `(${values[metric]})::${columnType(metric)} as ${metric}`);
  return `select s as series, ts, ${seconds} as seconds, ${traffic(1)} as rx, ${traffic(0.4)} as tx, ${metrics.join(', ')}
    from (
      select s, ts, noise, s % 5 = 0 and ts / ${stepMs} % 1000 = 0 as restarted,
        greatest(0.02, 0.3 + 0.22 * sin(ts / 13750987.0 + s) + 0.15 * noise) as busy
      from (
        select s, ts, (hashint8(ts / ${stepMs} * 7919 + s) & 1023) / 1023.0::double precision as noise
        from unnest('{${series.join(',')}}'::integer[]) as s, generate_series(${first}, ${last}, ${stepMs}::bigint) as ts
        where ts <= ${until} and not (s % 7 = 0 and ts / ${dayMs} % 30 = s % 30) and not (s % 4 = 0 and ts / 7200000 % 20 = s % 20)
      ) clocked
    ) made`;
}
