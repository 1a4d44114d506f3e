import type { DatabaseStats } from '@homeport/contract/stats/schema';
import { databaseSeries, nameContainers } from '@homeport/store';
import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';

const step = 180_000;
const mib = 2 ** 20;
const container = 'd'.repeat(64);

async function startMeasured() {
  const monitor = await testMonitor();
  const server = await monitor.addServer('harbour');
  const { pool } = monitor.database.store;
  const { rows } = await pool.query<{ id: string }>(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     values ($1, $2, 'Ledger', 'ledger-x1', 'postgres', 0) returning id`,
    [server.owner, server.id],
  );
  const id = rows[0]?.id ?? '';
  return {
    monitor,
    server,
    pool,
    id,
    get: (user = server.owner) =>
      monitor.app.inject({ url: `/monitor/databases/${id}`, headers: { 'x-user': user } }),
    async report() {
      await nameContainers(pool, server.id, databaseSeries('postgres', 'ledger-x1'), [container]);
      const { now } = monitor.clock;
      const reports = [0, 1].map((at) =>
        makeReport(now - (1 - at) * step, {
          apps: [
            {
              id: container,
              cpu_usec: 1_000 + at * 45e6,
              memory: 96 * mib,
              inactive_file: 32 * mib,
              memory_max: 256 * mib,
              rx: at * 9_000,
              tx: at * 4_000,
            },
          ],
        }),
      );
      expect(await monitor.post(server.token, reports)).toMatchObject({ status: 200 });
    },
    [Symbol.asyncDispose]: () => monitor[Symbol.asyncDispose](),
  };
}

test('a database shows the use of its container, with its series', async () => {
  await using measured = await startMeasured();
  expect((await measured.get()).json()).toEqual({ stats: null });
  await measured.report();
  const { now } = measured.monitor.clock;
  const { stats } = (await measured.get()).json<{ stats: DatabaseStats }>();
  expect(stats).toMatchObject({
    updated: now,
    CPU_PERCENT: 25,
    MEM: 64 * mib,
    MEM_LIMIT: 256 * mib,
    MEM_PERCENT: 25,
    NET_IO: { rx: 9_000, tx: 4_000 },
    timeseries: { all: [{ ts: now - step }, { ts: now, cpu_percent: 25, mem_usage: 64 * mib }] },
  });
});

test('the list has the newest use of each database that was measured', async () => {
  await using measured = await startMeasured();
  const list = async () =>
    (
      await measured.monitor.app.inject({
        url: '/monitor/databases',
        headers: { 'x-user': measured.server.owner },
      })
    ).json();
  expect(await list()).toEqual([]);
  await measured.report();
  expect(await list()).toEqual([
    { id: measured.id, updated: measured.monitor.clock.now, CPU_PERCENT: 25, MEM: 64 * mib },
  ]);
});

test('nobody else sees the stats of a database', async () => {
  await using measured = await startMeasured();
  const other = await measured.monitor.addServer('other');
  expect((await measured.get(other.owner)).statusCode).toBe(404);
});

test('the series of a deleted database go with it', async () => {
  await using measured = await startMeasured();
  await measured.report();
  await measured.pool.query('delete from databases where id = $1', [measured.id]);
  for (const table of ['series.app', 'series.container', 'series.app_raw', 'series.app_monthly'])
    expect((await measured.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
});
