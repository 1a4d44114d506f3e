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
