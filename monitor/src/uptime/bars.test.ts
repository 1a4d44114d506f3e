import type { UptimeBars } from '@homeport/contract/uptime/schema';
import { expect, test } from 'vitest';
import { testMonitor } from '../testing.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('bars count the checks of each step, and say where nothing was checked', async () => {
  await using monitor = await testMonitor();
  const { id, owner } = await monitor.addServer('web');
  const { pool } = monitor.database.store;
  const { now } = monitor.clock;
  const bars = async (period: string) => {
    const url = `/monitor/uptime/nq-shop/bars?period=${period}`;
    const answer = await monitor.app.inject({ url, headers: { 'x-user': owner } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<UptimeBars>();
  };
  const { rows } = await pool.query<{ id: number }>(
    `with app as (
       insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at)
       values ($1, $2, 'Shop', 'shop', 'nq-shop', 3, 0) returning id)
     insert into checks (app_id, domain, created_at) select id, 'shop.example.com', 0 from app returning id`,
    [owner, id],
  );
  expect((await bars('24h')).bars).toEqual(Array.from({ length: 24 }, () => ({ up: 0, down: 0 })));
  const zero = (phase: string) => `${phase}_n, ${phase}_sum`;
  const phases = ['dns_lookup', 'tcp_connection', 'tls_handshake', 'first_byte', 'content_transfer', 'total'];
  const keep = (table: string, ts: number, up: number, down: number) =>
    pool.query(
      `insert into series.check_${table} (series, ts, up, down, ${phases.map(zero).join(', ')})
       values ($1, $2, $3, $4, ${phases.map(() => '0, 0').join(', ')})`,
      [rows[0]?.id, ts, up, down],
    );
  await keep('hourly', now - (now % hour), 20, 10);
  await keep('hourly', now - (now % hour) - hour, 60, 0);
  await keep('daily', now - (now % day), 500, 10);
  await keep('daily', now - (now % day) - 89 * day, 7, 0);

  const hours = await bars('24h');
  expect(hours).toMatchObject({ from: now - (now % hour) - 23 * hour, stepMs: hour });
  expect(hours.bars.slice(-3)).toEqual([
    { up: 0, down: 0 },
    { up: 60, down: 0 },
    { up: 20, down: 10 },
  ]);
  // 12:00 and 11:00 belong to two quarters of the day.
  const quarters = (await bars('7d')).bars;
  expect([quarters.length, ...quarters.slice(-2)]).toEqual([28, { up: 60, down: 0 }, { up: 20, down: 10 }]);
  expect((await bars('30d')).bars.at(-1)).toEqual({ up: 500, down: 10 });
  const quarter = (await bars('90d')).bars;
  expect([quarter.length, quarter[0]]).toEqual([90, { up: 7, down: 0 }]);
});

test('bars refuse another period, and the app of somebody else', async () => {
  await using monitor = await testMonitor();
  const { owner } = await monitor.addServer('web');
  const ask = (url: string) => monitor.app.inject({ url, headers: { 'x-user': owner } });
  expect((await ask('/monitor/uptime/nq-none/bars')).statusCode).toBe(404);
  expect((await ask('/monitor/uptime/nq-none/bars?period=2y')).statusCode).toBe(400);
});
