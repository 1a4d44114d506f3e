import type { Operation } from '@homeport/contract/operations';
import { expect, it } from 'vitest';
import { neededConnection } from './reconnect.ts';

const waiting = (waitingFor: Operation['waitingFor'], state: Operation['state'] = 'waiting') =>
  neededConnection({ state, waitingFor, serverId: 's-1' } as Operation);

it('names the account that an operation waits for', () => {
  expect(waiting({ reason: 'connection', text: 't', user: 'homeport' })).toEqual({
    serverId: 's-1',
    user: 'homeport',
  });
});

it('opens nothing for work that waits for other work, or runs', () => {
  expect(waiting({ reason: 'operation', text: 't' })).toBeNull();
  expect(waiting({ reason: 'connection', text: 't', user: 'root' }, 'running')).toBeNull();
});
