import { readFileSync } from 'node:fs';
import { ownerFromSession } from '@homeport/store';
import Fastify from 'fastify';
import { describe, expect, it, test } from 'vitest';
import { type TestMonitor, testMonitor } from '../testing.ts';
import { writeExposition } from './exposition.ts';
import { hostileName, startMeasured } from './measured-fixture.ts';
import { readMetrics } from './metrics.ts';
import { readExposition } from './read-exposition-fixture.ts';
import { createRecentAnswers } from './recent-answers.ts';
import { metricsRoutes } from './routes.ts';

async function scrape(monitor: TestMonitor, owner: string) {
  const answer = await monitor.app.inject({ url: '/metrics', headers: { 'x-user': owner } });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(answer.body);
}

test('shows servers, apps, databases and checks as Prometheus reads them', async () => {
  await using measured = await startMeasured();
  const { monitor, server, now } = measured;
  const metrics = await scrape(monitor, server.owner);
  const only = (name: string) => {
    const samples = metrics.get(name)?.samples ?? [];
    expect(samples, name).toHaveLength(1);
    return samples[0];
  };
  const info = only('homeport_server_info');
  const key = info?.labels.server;
  expect(info).toEqual({ labels: { server: key, name: hostileName, id: server.monitorId }, value: 1 });
  expect(only('homeport_server_up')).toEqual({ labels: { server: key }, value: 1 });
  expect(only('homeport_server_last_report_timestamp_seconds')?.value).toBe(now / 1000);
  expect(only('homeport_server_memory_size_bytes')?.value).toBe(4 * 2 ** 30);
  expect(only('homeport_server_memory_used_bytes')?.value).toBe(3 * 2 ** 30);
  expect(only('homeport_server_network_receive_bytes_total')?.value).toBe(1_800);
  expect(only('homeport_app_info')?.labels).toEqual({ server: key, app: 'shop', name: hostileName });
  expect(only('homeport_app_memory_used_bytes')).toEqual({
    labels: { server: key, app: 'shop' },
    value: 600,
  });
  expect(only('homeport_app_cpu_usage_ratio')?.value).toBe(0.25);
  expect(only('homeport_database_memory_used_bytes')).toEqual({
    labels: { server: key, database: 'ledger', type: 'postgres' },
    value: 600,
  });
  expect(only('homeport_check_up')).toEqual({ labels: { server: key, app: 'shop' }, value: 1 });
  expect(only('homeport_series_truncated')?.value).toBe(0);
});

test('a silent server is down and keeps no figure of then, while its counters stay', async () => {
  await using measured = await startMeasured();
  const { monitor, server } = measured;
  monitor.clock.now += 3_600_000;
  const metrics = await scrape(monitor, server.owner);
  expect(metrics.get('homeport_server_up')?.samples[0]?.value).toBe(0);
  for (const gone of ['server_memory_used_bytes', 'server_cpu_usage_ratio', 'app_memory_used_bytes'])
    expect(metrics.has(`homeport_${gone}`), gone).toBe(false);
  expect(metrics.get('homeport_server_network_receive_bytes_total')?.samples[0]?.value).toBe(1_800);
});

test('is off unless the operator turns it on, and never the page', async () => {
  await using monitor = await testMonitor(undefined, { metrics: false });
  const { owner } = await monitor.addServer('web');
  for (const headers of [{}, { 'x-user': owner }]) {
    const answer = await monitor.app.inject({ url: '/metrics', headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().message).toContain('HOMEPORT_METRICS');
  }
});

test('a person with more than one answer takes is told so', async () => {
  await using measured = await startMeasured();
  const { monitor, server, now } = measured;
  const metrics = await monitor.database.store.read(ownerFromSession(server.owner), (scope) =>
    readMetrics(scope, now, { servers: 1, containers: 1, checks: 1 }),
  );
  const read = readExposition(await writeExposition(metrics));
  expect(read.get('homeport_series_truncated')?.samples).toEqual([{ labels: {}, value: 1 }]);
  expect(read.get('homeport_app_info')?.samples).toHaveLength(1);
  expect(read.has('homeport_database_info')).toBe(false);
});

test('every name is documented, and those of the dashboard exist', async () => {
  await using monitor = await testMonitor();
  const { owner } = await monitor.addServer('web');
  const metrics = await monitor.database.store.read(ownerFromSession(owner), (scope) =>
    readMetrics(scope, monitor.clock.now),
  );
  const names = metrics.map(({ name }) => name).sort();
  const docs = (file: string) => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
  const named = (text: string) => [...new Set(text.match(/homeport_[a-z0-9_]+/g))].sort();
  expect(named(docs('metrics.md'))).toEqual(names);
  const dashboard = docs('grafana-dashboard.json');
  expect(() => JSON.parse(dashboard)).not.toThrow();
  expect(named(dashboard).length).toBeGreaterThan(8);
  expect(named(dashboard).filter((name) => !names.includes(name))).toEqual([]);
});

describe('the format', () => {
  it('takes every number and text', async () => {
    const values = [0, -1.5, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const samples = values.map((value, index) => ({ labels: { name: `${hostileName}${index}` }, value }));
    const text = await writeExposition([{ name: 'x', help: 'a \\ b\nc', type: 'gauge', samples }]);
    expect(readExposition(text).get('x')?.samples).toEqual(samples);
  });

  it.each([
    ['a sample without a group', 'x 1\n'],
    ['no end of the last line', '# HELP x y\n# TYPE x gauge\nx 1'],
    ['a gauge with the name of a counter', '# HELP x_total y\n# TYPE x_total gauge\nx_total 1\n'],
    ['a series twice', '# HELP x y\n# TYPE x gauge\nx{a="b"} 1\nx{a="b"} 2\n'],
    ['a bare quote in a value', '# HELP x y\n# TYPE x gauge\nx{a="b"c"} 1\n'],
    ['an unknown escape', '# HELP x y\n# TYPE x gauge\nx{a="\\t"} 1\n'],
    ['a value that is no number', '# HELP x y\n# TYPE x gauge\nx null\n'],
    ['a group twice', '# HELP x y\n# TYPE x gauge\nx 1\n# HELP x y\n# TYPE x gauge\nx{a="b"} 1\n'],
  ])('of the reader here refuses %s', (_name, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});

test('an answer is given again for five seconds, to its person alone', async () => {
  let now = 0;
  let made = 0;
  const recent = createRecentAnswers(() => now);
  const make = async () => {
    made += 1;
    return String(made);
  };
  expect([await recent('a', make), await recent('a', make), await recent('b', make)]).toEqual([
    '1',
    '1',
    '2',
  ]);
  now += 5_000;
  expect(await recent('a', make)).toBe('3');
  for (let person = 0; person < 100; person += 1) await recent(`p${person}`, make);
  expect(await recent('a', make)).toBe('104');
});

test('an answer that is being made is for all who ask meanwhile, and one that failed is made again', async () => {
  const recent = createRecentAnswers(() => 0);
  let made = 0;
  const make = async () => {
    made += 1;
    if (made === 1) throw new Error('gone');
    return 'second';
  };
  const both = await Promise.allSettled([recent('a', make), recent('a', make)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(made).toBe(1);
  expect(await recent('a', make)).toBe('second');
});

test('two scrapes at once read the store once, and the next within five seconds reads nothing', async () => {
  await using measured = await startMeasured();
  const { store } = measured.monitor.database;
  const identity = { userId: measured.server.owner, sessionId: 'session' };
  let reads = 0;
  const app = Fastify();
  await app.register(metricsRoutes, {
    clock: () => measured.now,
    enabled: true,
    identify: () => identity,
    store: {
      read: (owner, fn) => {
        reads += 1;
        return store.read(owner, fn);
      },
    },
  });
  const ask = async () => (await app.inject('/metrics')).body;
  const answers = [...(await Promise.all([ask(), ask()])), await ask()];
  await app.close();
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('homeport_server_up');
  expect(reads).toBe(1);
});
