import type { Server } from '@homeport/contract/servers/schema';
import { expect, test } from 'vitest';
import { ApiProblem } from '../../../data/api-problem.ts';
import { changedElsewhere, collides } from './stale-edit.ts';

const server: Server = {
  id: '6d1f3c54-6f0a-4f5c-9b7d-2b8d3a0c1e11',
  key: 'k',
  name: 'lantern',
  description: '',
  location: '',
  country: null,
  provider: null,
  ip: '203.0.113.24',
  port: 22,
  username: 'root',
  credential: 'password',
  subdomain: 'lantern',
  metal: false,
  monitorId: null,
  hostKeyFingerprint: null,
  hostKeyAlgorithm: null,
  setup: 'ready',
  agentInstalled: true,
  login: 'root',
  consoleAccount: true,
  accountKey: null,
  dokkuVersion: '0.38.27',
  dokkuPlugin: { installed: null, offered: '1.0.0' },
  globalDomains: null,
  commandsAllowed: false,
  shellAllowed: false,
  git: { user: 'dokku', host: '203.0.113.24', port: 22 },
  simulated: false,
  sandbox: false,
  createdAt: 1,
  version: 2,
};
const refused = (code: 'stale_edit' | 'conflict', current: unknown) =>
  new ApiProblem({ code, message: 'Changed.', recovery: 'Look.', current });

test('a refused edit holds the current server', () => {
  expect(changedElsewhere(refused('stale_edit', server))).toEqual(server);
  expect(changedElsewhere(refused('stale_edit', { name: 1 }))).toBeNull();
  expect(changedElsewhere(refused('conflict', server))).toBeNull();
  expect(changedElsewhere(new Error('gone'))).toBeNull();
});

test('only a change of the same field conflicts', () => {
  const now = { ...server, name: 'lighthouse', version: 3 };
  expect(collides(server, now, { description: 'mine' })).toBe(false);
  expect(collides(server, now, { name: 'beacon', description: 'mine' })).toBe(true);
});
