import type { LiveConnection } from '@homeport/contract/connections/schema';
import { expect, it } from 'vitest';
import { readConnectionState } from './connection-state.ts';

const server = { id: 's-1', credential: 'k-1', simulated: false };
const live = (user: string, expiresAt: number, serverId = 's-1') =>
  ({ serverId, user, expiresAt }) as LiveConnection;

it('is connected as each connected account, until the last connection ends', () => {
  const state = readConnectionState(server, [live('root', 5), live('homeport', 9)], ['k-1'], 'laptop');
  expect(state).toEqual({ kind: 'connected', users: ['root', 'homeport'], until: 9 });
});

it('names the need of the next action', () => {
  const others = [live('root', 5, 's-2')];
  expect(readConnectionState(server, others, ['k-1'], 'laptop')).toEqual({ kind: 'reconnects' });
  expect(readConnectionState({ ...server, credential: 'password' }, [], [], '')).toEqual({
    kind: 'needs-password',
  });
  expect(readConnectionState(server, [], ['k-2'], 'laptop')).toEqual({
    kind: 'key-missing',
    keyName: 'laptop',
  });
});

it('never connects to a server without a credential', () => {
  expect(readConnectionState({ ...server, credential: null }, [], ['k-1'], '')).toEqual({
    kind: 'read-only',
  });
});

it('never connects to a simulated server', () => {
  expect(readConnectionState({ ...server, simulated: true }, [], ['k-1'], '')).toEqual({
    kind: 'simulated',
  });
});
