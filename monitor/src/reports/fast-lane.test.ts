import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { reportLimits } from '@homeport/contract/stats/facts';
import { expect, test } from 'vitest';
import { makeReport, type TestMonitor, testMonitor } from '../testing.ts';

const path = '/api/v2/report';

/** Posts over a real connection. The posts of a server that is in memory take the fast lane there. */
async function posting(monitor: TestMonitor) {
  await monitor.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = monitor.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async post(token: string, body: string | Buffer, headers: Record<string, string> = {}) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body,
      });
      return { status: answer.status, body: (await answer.json()) as unknown };
    },
  };
}

test('the fast lane answers as the framework does', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const { post } = await posting(monitor);
  const { now } = monitor.clock;
  // The server is not in memory yet, so the framework asks the store.
  expect(await post(token, JSON.stringify([makeReport(now - 1_000)]))).toMatchObject({
    status: 200,
    body: { accepted: 1 },
  });
  const packed = { 'content-encoding': 'gzip' };
  const bodies: [string | Buffer, Record<string, string>, number][] = [
    [gzipSync(JSON.stringify([makeReport(now)])), packed, 200],
    [JSON.stringify([makeReport(now)]), {}, 200],
    ['', {}, 400],
    ['no gzip', packed, 400],
    [JSON.stringify([makeReport(now, { uptime: -1 })]), {}, 400],
    [gzipSync(Buffer.alloc(64_000_000, ' ')), packed, 413],
    [Buffer.alloc(reportLimits.bodyBytes + 1, ' '), {}, 413],
  ];
  for (const [body, headers, status] of bodies) {
    const quick = await post(token, body, headers);
    expect(quick.status).toBe(status);
    if (status === 200) continue;
    expect(quick).toEqual(await monitor.post(token, body, headers));
  }
});

test('a report by the fast lane is shown whole, also a long one and several at once', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('web');
  const { post } = await posting(monitor);
  const show = async () =>
    (await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } })).json();
  const send = async (ts: number, body: string) => {
    expect(await post(token, body)).toMatchObject({ status: 200, body: { refused: 0, repeated: 0 } });
    const { timeseries, recent_load, update_time, ...shown } = await show();
    expect(update_time).toBe(ts);
    return { ...shown, rx_gap: null, tx_gap: null, load_percent: null, gap_seconds: 0 };
  };
  const { now } = monitor.clock;
  const first = await send(now - 9_000, JSON.stringify([makeReport(now - 9_000)]));
  expect(first).toMatchObject({ os_name: 'Debian GNU/Linux 12 (bookworm)', ram_percent: 75 });
  const several = JSON.stringify([makeReport(now - 8_000), makeReport(now - 7_000)]);
  expect(await send(now - 7_000, several)).toEqual(first);
  const unknown = JSON.stringify([makeReport(now - 6_000, { report: 'x', status: 'y' })]);
  expect(await send(now - 6_000, ` \n${unknown}\t`)).toEqual(first);
  const long = JSON.stringify([makeReport(now - 5_000, { nonsense: 'x'.repeat(100_000) })]);
  expect(await send(now - 5_000, long)).toEqual(first);
  const { rows } = await monitor.database.store.pool.query(
    'select length(latest) as long from series.server',
  );
  expect(rows[0].long).toBeLessThan(5_000);
});

test('all other requests still reach the framework', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const { post, url } = await posting(monitor);
  await post(token, JSON.stringify([makeReport(monitor.clock.now)]));
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(url + path, { headers })).status).toBe(404);
  expect((await fetch(`${url}/monitor/dumps`, { headers })).status).toBe(401);
  expect((await post('unknown_0123456789abcdef', '')).status).toBe(401);
});
