import { containersPerApp, domainsPerApp } from '@homeport/contract/limits';
import { expect, test } from 'vitest';
import { appsOf, nothingTold, take } from './app-states.ts';
import { readTold } from './lines.ts';

const server = {
  server: { properties: {}, domains: [], cpus: 2, keepsBuilds: true, namesStorage: true },
};
const app = {
  app: { name: 'tick', properties: {}, domains: [], routed: true, certificate: false, processes: [] },
};
const deploy = (id: string, second: number, source: string, lives: boolean) => ({
  buildOf: 'tick',
  lives,
  record: {
    id,
    kind: 'build',
    source,
    status: 'running',
    started_at: `2026-11-21T07:45:0${second}Z`,
  },
});

test('a running deploy stands before later deploys that its lock refused, as in builds:list', () => {
  const told = nothingTold();
  for (const line of [
    ...[server, app, deploy('first', 1, 'git-hook', true)],
    ...[deploy('second', 2, 'git-hook', false), deploy('third', 3, 'ps:rebuild', false)],
  ])
    take(told, line);
  expect(appsOf(told)[0]?.builds?.map(({ id, status }) => [id, status])).toEqual([
    ['first', 'running'],
    ['third', 'failed'],
    ['second', 'failed'],
  ]);
});

test('what containers publish past the proxy is told, and containers of deploys of which Dokku keeps no id', () => {
  const told = nothingTold();
  const listed = (id: string, name: string, ports: string) => ({
    listed: { app: 'tick', id, name, state: 'running', ports, createdAt: '2026-11-25 17:00:00 +0100 CET' },
  });
  const kept = { app: { ...app.app, processes: [{ name: 'web.1', id: 'a1' }] } };
  for (const line of [
    ...[server, kept, listed('a1', 'tick.web.1', '0.0.0.0:32768->5000/tcp, :::32768->5000/tcp')],
    // The container in use may keep the name of its deploy; one that retires is named after its end.
    ...[listed('b2', 'tick.web.1.upcoming-7', '127.0.0.1:8080->5000/tcp, 5000/tcp')],
    ...[listed('c3', 'tick.web.1.1795539600', ''), listed('a1', 'tick.web.1.upcoming-9', '')],
  ])
    take(told, line);
  expect(appsOf(told)[0]?.listed).toEqual({
    published: ['0.0.0.0:32768->5000/tcp', ':::32768->5000/tcp'],
    upcoming: [
      {
        id: 'b2',
        name: 'tick.web.1.upcoming-7',
        state: 'running',
        createdAt: Date.parse('2026-11-25T16:00:00Z'),
      },
    ],
  });
});

test('an older plugin does not tell what Docker lists', () => {
  const told = nothingTold();
  for (const line of [server, app]) take(told, line);
  expect(appsOf(told)[0]?.listed).toBeNull();
});

test('an app has no more addresses than its first domains with its first ports', () => {
  const told = nothingTold();
  const hostile = {
    ...app.app,
    domains: ['x'.repeat(1_000), ...Array.from({ length: 20_000 }, (_none, index) => `d${index}.test`)],
    properties: {
      'ports.map': Array.from({ length: 20_000 }, (_none, index) => `http:${index % 60_000}:1`).join(' '),
    },
  };
  for (const line of [server, { app: hostile }]) take(told, line);
  const [read] = appsOf(told);
  expect(read?.domains).toHaveLength(domainsPerApp);
  expect(read?.domains[0]).toBe('d0.test');
  expect(read?.addresses).toHaveLength(domainsPerApp * 100);
});

test('a container that is named many times is told as often as an app may have containers, and its words have a length', () => {
  const told = nothingTold();
  const processes = [
    ...Array.from({ length: 20_000 }, () => ({ name: 'web.1', id: 'a1' })),
    ...Array.from({ length: 20_000 }, (_none, index) => ({ name: `web.${index}`, id: `b${index}` })),
  ];
  const container = {
    ...{ id: 'a1', state: 's'.repeat(20_000), image: 'i'.repeat(20_000), policy: 'p'.repeat(20_000) },
    ...{
      exitCode: 0,
      outOfMemory: false,
      restarts: 0,
      endedAt: '0001-01-01T00:00:00Z',
      memory: 0,
      nanoCpus: 0,
    },
  };
  for (const line of [server, { app: { ...app.app, processes } }, { container }]) take(told, line);
  const [read] = appsOf(told);
  expect(read?.containers).toHaveLength(containersPerApp);
  expect(read?.processes.processes).toHaveLength(containersPerApp);
  expect(JSON.stringify(read).length).toBeLessThan(containersPerApp * 2_000);
});

test('an answer of more lines than an app can have is not read', () => {
  const answer = (lines: number) =>
    ['{"v":1,"plugin":"1"}', ...Array(lines).fill('{'), '{"end":true}'].join('\n');
  expect([...readTold('homeport:state', answer(98), 100).values]).toHaveLength(98);
  expect(() => readTold('homeport:state', answer(100), 100)).toThrow();
});
