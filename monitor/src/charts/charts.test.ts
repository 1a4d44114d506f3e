import { chartRangePoints } from '@homeport/contract/charts/facts';
import type { ChartSeries } from '@homeport/contract/charts/schema';
import { nameContainers, rollUp } from '@homeport/store';
import { expect, test } from 'vitest';
import { makeReport, type TestMonitor, testMonitor } from '../testing.ts';

const step = 180_000;
const hour = 3_600_000;
const day = 24 * hour;
const yearSeconds = 365 * 24 * 3_600;

type Asked = { path: string; owner: string; query?: Record<string, string | number> };

async function ask(monitor: TestMonitor, { path, owner, query = {} }: Asked): Promise<ChartSeries> {
  const answer = await monitor.app.inject({
    url: `/monitor/${path}/series`,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: { 'x-user': owner },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

test('an hour shows single reports, up to the newest one', async () => {
  await using monitor = await testMonitor();
  const { token, owner, monitorId } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const path = `dump/${monitorId}`;
  expect(await ask(monitor, { path, owner })).toMatchObject({ source: 'single', times: [], average: [] });
  const reports = [2, 1, 0].map((ago) =>
    makeReport(now - ago * step, {
      load: [1 + ago, 0, 0],
      net: [{ name: 'eth0', rx: 9_000 - ago * 1_800, tx: 0 }],
    }),
  );
  expect(await monitor.post(token, reports)).toMatchObject({ status: 200 });
  const times = [now - 2 * step, now - step, now];
  expect(await ask(monitor, { path, owner, query: { measure: 'load', spanSeconds: 3_600 } })).toEqual({
    from: now + 1 - hour,
    to: now + 1,
    source: 'single',
    stepMs: step,
    times,
    average: [3, 2, 1],
    lowest: [3, 2, 1],
    highest: [3, 2, 1],
  });
  // Bytes per second. The first report has nothing to be compared with.
  expect(
    await ask(monitor, { path, owner, query: { measure: 'received', spanSeconds: 3_600 } }),
  ).toMatchObject({
    average: [null, 10, 10],
    lowest: [null, null, null],
  });
  // An end of one's own leaves out what came later.
  const until = { measure: 'load', spanSeconds: 3_600, to: now };
  expect((await ask(monitor, { path, owner, query: until })).times).toEqual(times.slice(0, 2));
});

/** Writes single reports into the store and rolls them up, as the monitor does. */
async function plantReports(monitor: TestMonitor, serverId: string, reports: { ts: number; cpu: number }[]) {
  const { pool } = monitor.database.store;
  const { rows } = await pool.query<{ id: number }>(
    'insert into series.server (server_id) values ($1) returning id',
    [serverId],
  );
  const made = `(select ${rows[0]?.id}::integer as series, ts, 180 as seconds, null::bigint as rx, null::bigint as tx,
    null::real as load_avg, cpu as load_cpu, null::real as load_io, null::bigint as ram_usage, null::bigint as swap_usage,
    null::bigint as disk_usage, null::real as ping_us, null::real as ping_eu, null::real as ping_as
    from made) planted`;
  const values = [JSON.stringify(reports)];
  const from = `with made as (select * from json_to_recordset($1::json) as m (ts bigint, cpu real))`;
  await pool.query(
    `${from} insert into series.server_raw (series, ts, seconds, load_cpu) select series, ts, seconds, load_cpu from ${made}
     where ts > ${monitor.clock.now - 2 * day}`,
    values,
  );
  for (const horizon of ['hourly', 'daily', 'monthly'] as const)
    await pool.query(`${from} ${rollUp('server', horizon, made)}`, values);
}

test('a longer range has wider steps, with the lowest and highest single value of each', async () => {
  await using monitor = await testMonitor();
  const { id, owner, monitorId } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const path = `dump/${monitorId}`;
  const reports = [40 * day, 40 * day - step, 5 * day, 3 * hour, 3 * hour - step].map((ago, index) => ({
    ts: now - ago,
    cpu: [10, 90, 30, 20, 40][index] ?? 0,
  }));
  await plantReports(monitor, id, reports);
  const cpu = async (spanSeconds: number) => ask(monitor, { path, owner, query: { spanSeconds } });
  const floor = (ts: number, width: number) => ts - (ts % width);

  expect(await cpu(24 * 3_600)).toMatchObject({ source: 'single', average: [20, 40] });
  expect(await cpu(7 * 24 * 3_600)).toMatchObject({
    source: 'hourly',
    stepMs: hour,
    times: [floor(now - 5 * day, hour), floor(now - 3 * hour, hour)],
    average: [30, 30],
    lowest: [30, 20],
    highest: [30, 40],
  });
  expect(await cpu(yearSeconds)).toMatchObject({
    source: 'daily',
    stepMs: day,
    times: [40 * day, 5 * day, 3 * hour].map((ago) => floor(now - ago, day)),
    average: [50, 30, 30],
    lowest: [10, 30, 20],
    highest: [90, 30, 40],
  });
  // Nothing finer is kept of a time so long ago.
  const longAgo = await ask(monitor, { path, owner, query: { spanSeconds: 3_600, to: now - 3 * 365 * day } });
  expect(longAgo).toMatchObject({ source: 'monthly', times: [] });
});

test('steps of several hours merge by the time that each part covers', async () => {
  await using monitor = await testMonitor();
  const { id, owner, monitorId } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const begin = now - 50 * day - ((now - 50 * day) % (2 * hour));
  // Three reports in the first hour, one in the second.
  await plantReports(monitor, id, [
    ...[0, 1, 2].map((at) => ({ ts: begin + at * step, cpu: 10 })),
    { ts: begin + hour, cpu: 50 },
  ]);
  const answer = await ask(monitor, {
    path: `dump/${monitorId}`,
    owner,
    query: { spanSeconds: 60 * 24 * 3_600 },
  });
  expect(answer).toMatchObject({
    stepMs: 2 * hour,
    times: [begin],
    average: [20],
    lowest: [10],
    highest: [50],
  });
});

test('no answer has more points than allowed, however often an agent reports', async () => {
  await using monitor = await testMonitor();
  const { id, owner, monitorId } = await monitor.addServer('web');
  const { now } = monitor.clock;
  await plantReports(
    monitor,
    id,
    Array.from({ length: chartRangePoints + 1 }, (_, index) => ({
      ts: now - index * 60_000,
      cpu: index % 7,
    })),
  );
  const answer = await ask(monitor, { path: `dump/${monitorId}`, owner });
  expect(answer).toMatchObject({ source: 'single', stepMs: 360_000 });
  expect(answer.times.length).toBeLessThanOrEqual(chartRangePoints);
  expect(answer.highest).toContain(6);
});

test('an app has the figures of its containers, and the times of the checks that found it up', async () => {
  await using monitor = await testMonitor();
  const { id, token, owner } = await monitor.addServer('web');
  const { pool } = monitor.database.store;
  const { now } = monitor.clock;
  const { rows } = await pool.query<{ id: number }>(
    `with app as (
       insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at)
       values ($1, $2, 'Shop', 'shop', 'nq-shop', 3, 0) returning id)
     insert into checks (app_id, domain, created_at) select id, 'shop.example.com', 0 from app returning id`,
    [owner, id],
  );
  const container = 'c'.repeat(64);
  await nameContainers(pool, id, 'shop', [container]);
  const apps = [{ id: container, memory: 700, inactive_file: 100 }];
  expect(await monitor.post(token, [makeReport(now, { apps })])).toMatchObject({ status: 200 });
  await pool.query(
    'insert into series.check_raw (series, ts, ok, total) values ($1, $2, true, 80), ($1, $3, false, 9000)',
    [rows[0]?.id, now - 60_000, now],
  );
  const path = 'apps/nq-shop';
  expect(await ask(monitor, { path, owner })).toMatchObject({ times: [now], average: [600] });
  expect(await ask(monitor, { path, owner, query: { measure: 'answer-time' } })).toMatchObject({
    stepMs: 60_000,
    times: [now - 60_000, now],
    average: [80, null],
    highest: [80, null],
  });
});

test.each([
  { name: 'a range of less than an hour', query: { spanSeconds: '3599' } },
  { name: 'a range of more than a year', query: { spanSeconds: String(367 * 24 * 3_600) } },
  { name: 'a measure of another kind of record', query: { measure: 'memory-share' } },
  { name: 'an end that is no time', query: { to: '1e3' } },
])('refuses $name', async ({ query }) => {
  await using monitor = await testMonitor();
  const { owner, monitorId } = await monitor.addServer('web');
  const answer = await monitor.app.inject({
    url: `/monitor/dump/${monitorId}/series`,
    query,
    headers: { 'x-user': owner },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'invalid_input' });
});
