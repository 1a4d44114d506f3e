import { expect, test } from 'vitest';
import { appsOf, nothingTold, take } from './app-states.ts';

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
