import { messages } from '@homeport/contract/messages';
import { expect, test } from 'vitest';
import { noStatsReason } from './no-stats.ts';

const server = { monitorId: 'm1', agentInstalled: false, setup: 'ready', credential: 'password' } as const;

test('a server without a monitor id is not ready for the agent', () => {
  expect(noStatsReason({ ...server, monitorId: null })).toBe(messages.noMonitorId);
});

test('stats that are still to come differ from a missing agent', () => {
  expect(noStatsReason({ ...server, agentInstalled: true })).toMatch(/^The first report arrives/);
  expect(noStatsReason({ ...server, setup: 'installing' })).toMatch(/is being installed/);
  expect(noStatsReason(server)).toMatch(/is not installed/);
  expect(noStatsReason({ ...server, credential: null })).toMatch(/install line/);
});
