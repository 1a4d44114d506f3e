import { serverStatus } from '@homeport/contract/servers/health';
import type { ServerStats, ServerStatsWithSeries } from '@homeport/contract/stats/schema';
import { expect, test } from 'vitest';
import { createIngest } from '../reports/ingest.ts';
import { testMonitor } from '../testing.ts';
import { simulateFleet } from './simulate-fleet.ts';

test('a fleet reports now, and its history fills all four horizons with gaps and a full disk', async () => {
  await using monitor = await testMonitor();
  const { owner } = await monitor.addServer('real');
  const ingest = createIngest(monitor.database.store.pool);
  const options = {
    store: monitor.database.store,
    ingest,
    ownerId: owner,
    count: 9,
    clock: () => monitor.clock.now,
    log: monitor.app.log,
  };
  const fleet = await simulateFleet(options);
  const headers = { 'x-user': owner };
  const list = (await monitor.app.inject({ url: '/monitor/dumps', headers })).json<ServerStats[]>();
  expect(list.map((stats) => serverStatus(stats, monitor.clock.now))).toEqual(Array(9).fill('online'));
  expect(Math.max(...list.map((stats) => stats.disk_percent ?? 0))).toBeGreaterThan(95);
  const dump = await monitor.app.inject({ url: `/monitor/dump/${list[0]?.key}`, headers });
  const { timeseries } = dump.json<ServerStatsWithSeries>();
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
  fleet.close();

  const before = await pool.query('select count(*) from series.server_raw');
  monitor.clock.now += 180_000;
  (await simulateFleet(options)).close();
  const after = await pool.query('select count(*) from series.server_raw');
  expect(Number(after.rows[0]?.count)).toBe(Number(before.rows[0]?.count) + 9);
  await ingest.close();
});
