import { keptDays } from '@homeport/contract/horizons';
import type pg from 'pg';
import { columnType, dayMs, metricsOf } from './metrics.ts';
import { rawColumns, rollUp } from './rollup-sql.ts';

/**
 * How the figures of a simulated server go up and down. Shares are from 0 to 1. The report that a simulated server sends follows
 * the same course, so its past and its present fit together.
 */
export type Course = {
  /** The share of the processor in use, and how much of it comes and goes with the day (0 to 1). */
  busy: number;
  swing: number;
  /** The part of a day (UTC) at which the rhythm of the day begins to rise. */
  riseAt: number;
  /** A job that needs the processor: the share, how often it begins, and how long it takes. */
  job: number;
  jobEveryMs: number;
  jobMs: number;
  /** How much less there was to do a year before `since`, as a share. */
  growth: number;
  cores: number;
  memoryBytes: number;
  memory: number;
  /** Memory that a program loses each day, until the next start of the machine. */
  leakPerDay: number;
  bootEveryMs: number;
  bootOffsetMs: number;
  diskBytes: number;
  /** The share in use at `since`, and its change each day. */
  disk: number;
  diskPerDay: number;
  /** Bytes per second. */
  receives: number;
  sends: number;
  /** Milliseconds. Null where no answer comes. */
  pingUs: number;
  pingEu: number;
  pingAsia: number | null;
  /** Whether some reports of the past are missing. */
  gaps: boolean;
};

export type HistoryOptions = {
  /** The servers by their ids in `series.server`. `since`: when the server was added. */
  servers: readonly { series: number; since: number; course: Course }[];
  now: number;
  /** When these servers stopped reporting. Defaults to `now`. */
  until?: number;
  days: number;
  intervalSeconds: number;
  /** How far back each horizon goes: as far as it is kept, as a large chart asks for it, or as a page shows it. */
  depth: 'kept' | 'charted' | 'shown';
};

/** The first report after a start has no report before it to count from. */
const startMs = 180_000;

/**
 * In days. A page shows 20 points of each horizon; the rest makes up for gaps. A large chart shows a day of single reports, a month of
 * hours and a year of days.
 */
const depthDays = {
  shown: { raw: 0.125, hourly: 1.5, daily: 30 },
  charted: { raw: 1, hourly: 31, daily: 366 },
  kept: keptDays,
} as const;

/** Writes made-up history for simulated servers into all four horizons, by the same roll-ups as real reports. */
export async function fillHistory(
  client: pg.ClientBase,
  { servers, now, until = now, days, intervalSeconds, depth }: HistoryOptions,
): Promise<void> {
  if (servers.length === 0) return;
  const columns = rawColumns('server')
    .map(({ name }) => name)
    .join(', ');
  const courses = JSON.stringify(servers.map(({ course, ...server }) => ({ ...server, ...course })));
  const last = Math.min(now, until);
  const sample = (horizon: keyof typeof keptDays | 'monthly', seconds: number) => {
    const stepMs = seconds * 1000;
    const kept = horizon === 'monthly' ? days : Math.min(days, keptDays[horizon]);
    const shown = horizon === 'monthly' ? days : depthDays[depth][horizon];
    const first = Math.max(now - kept * dayMs, last - shown * dayMs);
    // The last sample is at the very end, so that the first report follows it at the usual distance.
    return samples({ first: last - Math.floor((last - first) / stepMs) * stepMs, last }, stepMs);
  };
  const statements = [
    `insert into series.server_raw (${columns}) ${sample('raw', intervalSeconds)} on conflict do nothing`,
    `with made as (${sample('hourly', 1_800)}) ${rollUp('server', 'hourly', 'made')}`,
    // Four samples a day suffice to tell noon from night, so hundreds of servers get a year of history within seconds.
    `with made as (${sample('daily', 21_600)}) ${rollUp('server', 'daily', 'made')}`,
    // One sample in 30 hours meets each part of the day in turn.
    `with made as (${sample('monthly', 108_000)}) ${rollUp('server', 'monthly', 'made')}`,
  ];
  for (const statement of statements) await client.query(statement, [courses]);
}

const courseColumns = `series integer, since double precision, busy double precision, swing double precision,
  "riseAt" double precision, job double precision, "jobEveryMs" bigint, "jobMs" bigint, growth double precision,
  cores double precision, "memoryBytes" double precision, memory double precision, "leakPerDay" double precision,
  "bootEveryMs" bigint, "bootOffsetMs" bigint, "diskBytes" double precision, disk double precision,
  "diskPerDay" double precision, receives double precision, sends double precision, "pingUs" double precision,
  "pingEu" double precision, "pingAsia" double precision, gaps boolean`;

/**
 * SQL for rows like raw ones, one every `stepMs`, for the courses in `$1`. The formulas are those of `simulated-report.ts` in the
 * monitor. The text holds only numbers of our own.
 */
function samples({ first, last }: { first: number; last: number }, stepMs: number): string {
  const seconds = stepMs / 1000;
  const values: Record<(typeof metricsOf.server)[number], string> = {
    load_avg: 'used * cores * (0.85 + 0.3 * noise)',
    load_cpu: 'used * 100',
    load_io: 'used * 4 * noise',
    ram_usage: `(least(0.97, memory + 0.15 * used + "leakPerDay" * sinceboot / ${dayMs}) * "memoryBytes")::bigint`,
    swap_usage: '((0.008 + 0.001 * noise) * "memoryBytes")::bigint',
    disk_usage: `(greatest(0.03, least(0.995, disk + "diskPerDay" * (ts - since) / ${dayMs})) * "diskBytes")::bigint`,
    ping_us: '"pingUs" + 6 * noise',
    ping_eu: '"pingEu" + 4 * noise',
    ping_as: '"pingAsia" + 12 * noise',
  };
  const traffic = (rate: string) =>
    `case when sinceboot < ${Math.min(stepMs, startMs)} then null else (${rate} * rhythm * ${seconds})::bigint end`;
  const metrics = metricsOf.server.map((metric) => `(${values[metric]})::${columnType(metric)} as ${metric}`);
  return `select series, ts, ${seconds} as seconds, ${traffic('receives')} as rx, ${traffic('sends')} as tx, ${metrics.join(', ')}
    from (
      select *, greatest(0.01, least(0.99, busy * rhythm + case when ts % "jobEveryMs" < "jobMs" then job else 0 end)) as used
      from (
        select c.*, ts, (hashint8(ts / ${stepMs} * 7919 + series) & 1023) / 1023.0::double precision as noise,
          (ts + "bootOffsetMs") % "bootEveryMs" as sinceboot,
          (1 + growth * least(0, ts - since) / ${365 * dayMs}) *
            (1 + swing * sin(2 * pi() * (ts / ${dayMs}.0::double precision - "riseAt")) + 0.12 * sin(2 * pi() * ts / 5400000.0::double precision + "riseAt" * 50) + 0.2 * sin(2 * pi() * ts / ${7 * dayMs}.0::double precision + "riseAt" * 90)) as rhythm
        from jsonb_to_recordset($1::jsonb) as c (${courseColumns}),
          generate_series(${first}::bigint, ${last}::bigint, ${stepMs}::bigint) as ts
        where not (gaps and (ts / 720000 % 10 = series % 10 or ts / ${dayMs} % 30 = series % 30))
      ) clocked
    ) made`;
}
