import type { Operation } from '@homeport/contract/operations/schema';
import { expect, it } from 'vitest';
import { neededConnection } from './reconnect.ts';

const waiting = (
  waitingFor: Operation['waitingFor'],
  { state = 'waiting', sessionId = 'mine' }: Partial<Pick<Operation, 'state' | 'sessionId'>> = {},
) => neededConnection({ state, waitingFor, serverId: 's-1', sessionId } as Operation, 'mine');
const connection = { reason: 'connection', text: 't', user: 'homeport' } as const;

it('names the account that an operation waits for', () => {
  expect(waiting(connection)).toEqual({ serverId: 's-1', user: 'homeport', elsewhere: false });
});

it('recognises an operation that waits for another sign-in of the same person', () => {
  expect(waiting(connection, { sessionId: 'other' })).toMatchObject({ elsewhere: true });
});

it('opens nothing for an operation that runs or waits for another operation', () => {
  expect(waiting({ reason: 'operation', text: 't' })).toBeNull();
  expect(waiting(connection, { state: 'running' })).toBeNull();
});
