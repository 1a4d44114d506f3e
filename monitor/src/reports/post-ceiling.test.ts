import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { makeReport, type TestMonitor, testMonitor } from '../testing.ts';
import { createPostCeiling, postsAMinute } from './post-ceiling.ts';

test('a server may post 20 times a minute, and again when the minute is over', () => {
  const clock = { now: 1_000_000 };
  const ceiling = createPostCeiling(() => clock.now);
  for (let post = 0; post < postsAMinute; post += 1) expect(ceiling.take('web')).toBe(0);
  expect(ceiling.take('web')).toBe(60);
  expect(ceiling.take('other')).toBe(0);
  clock.now += 59_001;
  expect(ceiling.take('web')).toBe(1);
  clock.now += 999;
  for (let post = 0; post < postsAMinute; post += 1) expect(ceiling.take('web')).toBe(0);
  expect(ceiling.take('web')).toBe(60);
});

test('a clock that is set back makes nobody wait longer than a minute', () => {
  const clock = { now: 10_000_000 };
  const ceiling = createPostCeiling(() => clock.now);
  for (let post = 0; post <= postsAMinute; post += 1) ceiling.take('web');
  clock.now -= 3_600_000;
  expect(ceiling.take('web')).toBe(0);
});

test('the counts in memory are bounded, and the oldest goes first', () => {
  const ceiling = createPostCeiling(() => 0, 2);
  for (let post = 0; post < postsAMinute; post += 1) ceiling.take('first');
  ceiling.take('second');
  expect(ceiling.take('first')).toBeGreaterThan(0);
  ceiling.take('third');
  expect(ceiling.take('first')).toBe(0);
});

async function listen(monitor: TestMonitor): Promise<string> {
  await monitor.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(monitor.app.server.address() as AddressInfo).port}`;
}

test('refuses a token that floods with Retry-After and stores none of its posts, while other servers go on', async () => {
  await using monitor = await testMonitor();
  const [web, other] = [await monitor.addServer('web'), await monitor.addServer('other')];
  const url = await listen(monitor);
  const { now } = monitor.clock;
  const post = (token: string, ts: number) =>
    fetch(`${url}/api/v2/report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify([makeReport(ts)]),
    });
  // The first post goes through the framework, the others through the fast lane. They share one count.
  expect((await post(web.token, now - 60_000)).status).toBe(200);
  const flood = await Promise.all(
    Array.from({ length: 30 }, (_, index) => post(web.token, now - 30_000 + index)),
  );
  expect(flood.filter(({ status }) => status === 200)).toHaveLength(postsAMinute - 1);
  const refused = flood.find(({ status }) => status !== 200);
  expect(refused?.status).toBe(429);
  expect(refused?.headers.get('retry-after')).toBe('60');
  expect(await refused?.json()).toMatchObject({ code: 'too_many', retryAfterSeconds: 60 });
  // Another token from the same address goes on.
  expect((await post(other.token, now)).status).toBe(200);
  const { rows } = await monitor.database.store.pool.query(
    'select count(*)::int as n from series.server_raw',
  );
  expect(rows).toEqual([{ n: postsAMinute + 1 }]);
  monitor.clock.now += 60_000;
  expect((await post(web.token, now)).status).toBe(200);
});

test('both routes for agents share the count of a token', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const { now } = monitor.clock;
  for (let post = 1; post <= postsAMinute; post += 1)
    expect(await monitor.post(token, [makeReport(now - post * 1_000)])).toMatchObject({ status: 200 });
  const old = await monitor.app.inject({
    method: 'POST',
    url: '/api/agent.json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, data: '' }).toString(),
  });
  expect(old.statusCode).toBe(429);
  expect(old.headers['retry-after']).toBe('60');
});
