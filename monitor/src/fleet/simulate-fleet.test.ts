import { serverStatus } from '@homeport/contract/servers/health';
import type { ServerStats, ServerStatsWithSeries } from '@homeport/contract/stats/schema';
import { expect, test } from 'vitest';
import { createIngest } from '../reports/ingest.ts';
import { testMonitor } from '../testing.ts';
import { courseOf } from './course.ts';
import { type FleetOptions, simulateFleet } from './simulate-fleet.ts';
import { simulatedReport } from './simulated-report.ts';

type Monitor = Awaited<ReturnType<typeof testMonitor>>;

async function fleetOf(monitor: Monitor, count: number, more: Partial<FleetOptions> = {}) {
  const { owner } = await monitor.addServer('real');
  const ingest = createIngest(monitor.database.store.pool, monitor.app.log);
  const options = {
    ...{ store: monitor.database.store, ingest, ownerId: owner, count, log: monitor.app.log },
    clock: () => monitor.clock.now,
    ...more,
  };
  const ask = async <T>(url: string) =>
    (await monitor.app.inject({ url, headers: { 'x-user': owner } })).json<T>();
  return {
    start: () => simulateFleet(options),
    list: () => ask<ServerStats[]>('/monitor/dumps'),
    series: async (key: string | undefined) =>
      (await ask<ServerStatsWithSeries>(`/monitor/dump/${key}`)).timeseries,
    [Symbol.asyncDispose]: () => ingest.close(),
  };
}

test('a fleet reports now, and its history fills all four horizons with gaps', async () => {
  await using monitor = await testMonitor();
  await using fleet = await fleetOf(monitor, 9);
  (await fleet.start()).close();
  const list = await fleet.list();
  expect(list.map((stats) => serverStatus(stats, monitor.clock.now))).toEqual(Array(9).fill('online'));
  const timeseries = await fleet.series(list[0]?.key);
  expect(Object.values(timeseries).map((points) => points.length)).toEqual([20, 20, 20, 13]);
  for (const { min, load_avg, max } of timeseries.daily) {
    expect(min.load_avg).toBeLessThanOrEqual(load_avg ?? 0);
    expect(max.load_avg).toBeGreaterThanOrEqual(load_avg ?? 0);
  }
  const { pool } = monitor.database.store;
  const gaps = await pool.query(
    'select 1 from (select ts - lag(ts) over (partition by series order by ts) as gone from series.server_raw) g where gone > 300000',
  );
  expect(gaps.rows.length).toBeGreaterThan(0);

  const before = await pool.query('select count(*) from series.server_raw');
  monitor.clock.now += 180_000;
  (await fleet.start()).close();
  const after = await pool.query('select count(*) from series.server_raw');
  expect(Number(after.rows[0]?.count)).toBe(Number(before.rows[0]?.count) + 9);
});

test('the first servers of a fleet fill the large charts: a day of reports, a month of hours and a year of days', async () => {
  await using monitor = await testMonitor();
  await using fleet = await fleetOf(monitor, 9);
  (await fleet.start()).close();
  const first = (table: 'raw' | 'hourly' | 'daily') =>
    monitor.database.store.pool.query<{ days: number }>(
      `select ((${monitor.clock.now} - min(ts)) / 86400000.0)::double precision as days
       from series.server_${table} join series.server s on s.id = series group by s.id order by s.id`,
    );
  for (const [table, charted, other] of [
    ['raw', 0.9, 0.2],
    ['hourly', 29, 2],
    ['daily', 360, 31],
  ] as const) {
    const days = (await first(table)).rows.map((row) => row.days);
    expect(days, table).toHaveLength(9);
    expect(Math.min(...days.slice(0, 8)), table).toBeGreaterThan(charted);
    expect(days[8], table).toBeLessThan(other);
  }
});

test('a server appears together with its history and its first report', async () => {
  await using monitor = await testMonitor();
  const seen: { servers: number; withStats: number; fewestDays: number }[] = [];
  const onAppeared = async () => {
    const { rows } = await monitor.database.store.pool.query<{ reported: boolean; days: number }>(
      `select s.latest is not null as reported, (select count(*) from series.server_daily d where d.series = s.id) as days
       from servers v join series.server s on s.server_id = v.id where v.simulated`,
    );
    seen.push({
      servers: rows.length,
      withStats: rows.filter(({ reported }) => reported).length,
      fewestDays: Math.min(...rows.map(({ days }) => days)),
    });
  };
  await using fleet = await fleetOf(monitor, 60, { onAppeared });
  (await fleet.start()).close();
  expect(seen.map(({ servers }) => servers)).toEqual([50, 60]);
  for (const { servers, withStats, fewestDays } of seen) {
    expect(withStats).toBe(servers);
    expect(fewestDays).toBeGreaterThan(20);
  }
});

test('the servers of a fleet differ, and one of them is about to fill its disk', async () => {
  await using monitor = await testMonitor();
  await using fleet = await fleetOf(monitor, 24);
  (await fleet.start()).close();
  const list = await fleet.list();
  const different = (values: (number | null)[]) =>
    new Set(values.map((value) => Math.round(value ?? 0))).size;
  expect(different(list.map((stats) => stats.disk_percent))).toBeGreaterThan(12);
  expect(different(list.map((stats) => (stats.rx_gap ?? 0) / 100_000))).toBeGreaterThan(20);
  expect(different(list.map((stats) => stats.load_percent))).toBeGreaterThan(8);
  const full = list.filter((stats) => (stats.disk_percent ?? 0) > 95);
  expect(full).toHaveLength(1);

  const days = (await fleet.series(full[0]?.key)).daily.map(({ disk_usage }) => disk_usage ?? 0);
  expect(days).toEqual([...days].sort((one, other) => one - other));
  expect((days.at(-1) ?? 0) / (days[0] ?? 1)).toBeGreaterThan(1.15);
});

test('the reports of a simulated server go on where its history ends', async () => {
  await using monitor = await testMonitor();
  await using fleet = await fleetOf(monitor, 12);
  (await fleet.start()).close();
  const whole = (await fleet.list()).filter(({ key }) => !courseOf(Number(key.split('-')[1])).gaps);
  expect(whole).toHaveLength(10);
  for (const { key } of whole) {
    const points = (await fleet.series(key)).all;
    const [past, first, report] = [points.at(-3), points.at(-2), points.at(-1)];
    expect(
      [first, report].map((point) => (point?.ts ?? 0) - (past?.ts ?? 0)),
      key,
    ).toEqual([180_000, 360_000]);
    expect(first?.rx_gap, key).toBeGreaterThan(0);
    for (const figure of ['disk_usage', 'ram_usage'] as const)
      expect((report?.[figure] ?? 0) / (past?.[figure] ?? 0), `${key} ${figure}`).toBeCloseTo(1, 1);
    expect((report?.rx_gap ?? 0) / (past?.rx_gap ?? 0), `${key} traffic`).toBeCloseTo(1, 0);
  }
});

test('a restart begins the counters again, and ends what a program has lost', () => {
  const server = { number: 6, course: courseOf(6), since: 0 };
  const { bootEveryMs, bootOffsetMs } = server.course;
  const boot = 100 * bootEveryMs - bootOffsetMs;
  const [before, after] = [boot - 60_000, boot + 60_000].map((ts) => simulatedReport(server, ts, 180));
  expect(after?.boot_id).not.toBe(before?.boot_id);
  expect(after?.uptime).toBe(60);
  expect(after?.net?.[0]?.rx).toBeLessThan(before?.net?.[0]?.rx ?? 0);
  expect(after?.mem?.available).toBeGreaterThan((before?.mem?.available ?? 0) * 1.2);
});

test('a busy server of a fleet has a full disk or much traffic no more often than another', () => {
  const courses = Array.from({ length: 400 }, (_, index) => courseOf(index + 1));
  for (const figure of ['disk', 'memory', 'receives', 'diskBytes'] as const) {
    const share = (busy: boolean) => {
      const [some, middle] = [courses.filter((course) => course.busy > 0.11 === busy), medianOf(figure)];
      return some.filter((course) => course[figure] > middle).length / some.length;
    };
    expect(Math.abs(share(true) - share(false)), figure).toBeLessThan(0.15);
  }

  function medianOf(figure: 'disk' | 'memory' | 'receives' | 'diskBytes'): number {
    return courses.map((course) => course[figure]).sort((one, other) => one - other)[200] ?? 0;
  }
});
