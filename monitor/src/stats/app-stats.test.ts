import type { AppStats } from '@homeport/contract/stats/schema';
import { nameContainers } from '@homeport/store';
import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';

const step = 180_000;
const mib = 2 ** 20;

test('an app shows the sum of its containers, with its series', async () => {
  await using monitor = await testMonitor();
  const { id, token, owner } = await monitor.addServer('web');
  const { pool } = monitor.database.store;
  await pool.query(
    `insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at)
     values ($1, $2, 'Shop', 'shop-x1', 'nq-shop', 3, 0)`,
    [owner, id],
  );
  const get = () => monitor.app.inject({ url: '/monitor/apps/nq-shop', headers: { 'x-user': owner } });
  const measured = async () =>
    (await monitor.app.inject({ url: '/monitor/apps', headers: { 'x-user': owner } })).json();
  expect((await get()).json()).toEqual({ stats: null });
  expect(await measured()).toEqual([]);

  const [web = '', worker = ''] = ['a', 'b'].map((letter) => letter.repeat(64));
  await nameContainers(pool, id, 'shop-x1', [web, worker.slice(0, 11)]);
  const used = (containerId: string, counter: number) => ({
    id: containerId,
    cpu_usec: counter,
    memory: 150 * mib,
    inactive_file: 50 * mib,
    memory_max: 512 * mib,
    rx: counter,
    tx: counter / 2,
    mounts: [{ path: '/var/lib/dokku/data/storage/shop', bytes: 7 * mib }],
  });
  const { now } = monitor.clock;
  const reports = [0, 1].map((at) =>
    makeReport(now - (1 - at) * step, {
      apps: [web, worker].map((one) => used(one, 1_000 + at * 45e6)),
      storage_ts: now - 3_600_000,
    }),
  );
  expect(await monitor.post(token, reports)).toMatchObject({ status: 200 });
  expect(await measured()).toEqual([{ key: 'nq-shop', measuredAt: now }]);
  const stats = (await get()).json<{ stats: AppStats }>().stats;
  expect(stats).toMatchObject({
    key: 'nq-shop',
    updated: now,
    CPU_PERCENT: 50,
    MEM: 200 * mib,
    MEM_LIMIT: 512 * mib,
    NET_IO: { rx: 90e6, tx: 45e6 },
    // Both containers have the same folder mounted.
    STORAGE: 7 * mib,
    storage_measured: now - 3_600_000,
    timeseries: {
      all: [
        { ts: now - step, cpu_percent: null, rx_gap: null },
        { ts: now, cpu_percent: 50, mem_usage: 200 * mib, rx_gap: 90e6, tx_gap: 45e6 },
      ],
      hourly: [{ seconds: 360, cpu_percent: 50, max: { cpu_percent: 50, mem_usage: 200 * mib } }],
      daily: [{ ts: Date.UTC(2026, 5, 15) }],
      monthly: [{ ts: Date.UTC(2026, 5, 1) }],
    },
  });
  // Single reports are dropped after two days.
  await pool.query('delete from series.app_raw');
  expect(await measured()).toEqual([{ key: 'nq-shop', measuredAt: now - (now % 3_600_000) }]);
  expect(stats.MEM_PERCENT).toBeCloseTo((2 * 100 * 100) / 512, 4);
});
