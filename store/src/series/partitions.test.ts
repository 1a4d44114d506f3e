import { keptDays } from '@homeport/contract/horizons';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing.ts';
import { dayMs } from './metrics.ts';
import { tendPartitions } from './partitions.ts';
import { rollUp } from './rollup-sql.ts';

const now = Date.UTC(2026, 0, 15, 12, 30);

test('drops the old data of each horizon when its time is over, and keeps months', async () => {
  await using database = await testDatabase();
  const { pool } = database.store;
  await tendPartitions(pool, now);
  await pool.query('insert into series.server_raw (series, ts, seconds, load_avg) values (1, $1, 180, 1)', [
    now,
  ]);
  for (const horizon of ['hourly', 'daily', 'monthly'] as const)
    await pool.query(rollUp('server', horizon, 'series.server_raw'));
  const left = async (days: number) => {
    await tendPartitions(pool, now + days * dayMs);
    const { rows } = await pool.query(
      `select (select count(*) from series.server_raw) as raw, (select count(*) from series.server_hourly) as hourly,
         (select count(*) from series.server_daily) as daily, (select count(*) from series.server_monthly) as monthly`,
    );
    return rows[0];
  };
  expect(await left(keptDays.raw)).toEqual({ raw: 1, hourly: 1, daily: 1, monthly: 1 });
  expect(await left(keptDays.raw + 1)).toEqual({ raw: 0, hourly: 1, daily: 1, monthly: 1 });
  expect(await left(keptDays.hourly)).toEqual({ raw: 0, hourly: 1, daily: 1, monthly: 1 });
  expect(await left(keptDays.hourly + 31)).toEqual({ raw: 0, hourly: 0, daily: 1, monthly: 1 });
  expect(await left(keptDays.daily)).toEqual({ raw: 0, hourly: 0, daily: 1, monthly: 1 });
  expect(await left(keptDays.daily + 366)).toEqual({ raw: 0, hourly: 0, daily: 0, monthly: 1 });
});

test('makes and drops nothing when it runs again, even on two replicas at once', async () => {
  await using database = await testDatabase();
  const { pool } = database.store;
  const both = await Promise.all([tendPartitions(pool, now), tendPartitions(pool, now)]);
  expect(Math.min(...both.map(({ made }) => made))).toBe(0);
  expect(Math.max(...both.map(({ made }) => made))).toBeGreaterThan(0);
  expect(await tendPartitions(pool, now)).toEqual({ made: 0, dropped: 0 });
  const tomorrow = await tendPartitions(pool, now + dayMs);
  expect(tomorrow).toEqual({ made: 3, dropped: 3 });
});
