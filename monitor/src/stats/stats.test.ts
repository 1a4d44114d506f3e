import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';

test('stats are their owner’s alone: 404 for others, 401 for nobody', async () => {
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
  expect((await get('/monitor/dumps?servers=%00', mine.owner)).json()).toEqual([]);
});

test('a server that never reported is not in the list', async () => {
  await using monitor = await testMonitor();
  const { owner, monitorId } = await monitor.addServer('silent');
  const list = await monitor.app.inject({ url: '/monitor/dumps', headers: { 'x-user': owner } });
  expect(list.json()).toEqual([]);
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  expect(dump.json()).toMatchObject({ code: 'not_found' });
});
