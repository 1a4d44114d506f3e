import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';
import { requestsAMinute } from './request-limit.ts';

test('only the owner sees stats: others get 404, and visitors without a session 401', async () => {
  await using monitor = await testMonitor();
  const mine = await monitor.addServer('mine');
  const theirs = await monitor.addServer('theirs');
  for (const { token } of [mine, theirs]) await monitor.post(token, [makeReport(monitor.clock.now)]);
  const get = async (url: string, user?: string) =>
    monitor.app.inject({ url, headers: user ? { 'x-user': user } : {} });
  expect((await get(`/monitor/dump/${mine.monitorId}`, mine.owner)).statusCode).toBe(200);
  expect((await get(`/monitor/dump/${theirs.monitorId}`, mine.owner)).statusCode).toBe(404);
  expect((await get(`/monitor/dump/${mine.monitorId}`)).statusCode).toBe(401);
  expect((await get('/monitor/dumps')).statusCode).toBe(401);
  const list = await get(`/monitor/dumps?servers=${mine.monitorId},${theirs.monitorId}`, mine.owner);
  expect(list.json().map((one: { key: string }) => one.key)).toEqual([mine.monitorId]);
  expect((await get('/monitor/dump/%00', mine.owner)).statusCode).toBe(404);
  expect((await get('/monitor/dumps?servers=%00', mine.owner)).statusCode).toBe(400);
});

test('a server that never reported is not in the list', async () => {
  await using monitor = await testMonitor();
  const { owner, monitorId } = await monitor.addServer('silent');
  const list = await monitor.app.inject({ url: '/monitor/dumps', headers: { 'x-user': owner } });
  expect(list.json()).toEqual([]);
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  expect(dump.json()).toMatchObject({ code: 'not_found' });
});

test('no browser or proxy may cache an answer', async () => {
  await using monitor = await testMonitor();
  const { owner, token, monitorId } = await monitor.addServer('mine');
  expect((await monitor.post(token, [makeReport(monitor.clock.now)])).status).toBe(200);
  for (const url of [
    '/monitor/dumps',
    `/monitor/dump/${monitorId}`,
    '/monitor/uptime',
    '/monitor/dump/none',
  ]) {
    for (const headers of [{ 'x-user': owner }, {}]) {
      const answer = await monitor.app.inject({ url, headers });
      expect(answer.headers['cache-control'], url).toBe('no-store');
    }
  }
});

test('an address that asks too often has to wait, while agents behind that address still report', async () => {
  await using monitor = await testMonitor();
  const { owner, token } = await monitor.addServer('mine');
  const ask = (remoteAddress: string) =>
    monitor.app.inject({ url: '/monitor/dump/none', headers: {}, remoteAddress });
  for (let asked = 0; asked < requestsAMinute; asked += 1)
    expect((await ask('127.0.0.1')).statusCode).toBe(401);
  const refused = await ask('127.0.0.1');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('203.0.113.9')).statusCode).toBe(401);
  expect((await monitor.post(token, [makeReport(monitor.clock.now)])).status).toBe(200);
  monitor.clock.now += 60_000;
  const later = await monitor.app.inject({ url: '/monitor/dumps', headers: { 'x-user': owner } });
  expect(later.statusCode).toBe(200);
});
