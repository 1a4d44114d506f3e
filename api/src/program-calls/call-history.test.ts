import { randomUUID } from 'node:crypto';
import { programCallLimits } from '@homeport/contract/program-calls/facts';
import type { Store } from '@homeport/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NotedCall } from '../http/note-call.ts';
import { add, createCallHistory, writtenWithinMs } from './call-history.ts';
import type { CallLine } from './write-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const userId = randomUUID();
const call = (change: Partial<NotedCall> = {}): NotedCall => ({
  session: {
    ...{ userId, sessionId: 'token', name: 'Ada', email: 'ada@example.com', emailVerified: true },
    ...{ kind: 'agent', scopes: ['apps:read'], token: { name: 'helper', lastFour: 'abcd' } },
  },
  ...{ call: 'get_app', subject: null, outcome: 'ok', address: '192.0.2.1', ...change },
});

/** A store that is away. Nothing of it is used but the transaction. */
function awayStore() {
  let tries = 0;
  const transact: Store['transact'] = async () => {
    tries += 1;
    throw new Error('away');
  };
  return { transact, tries: () => tries };
}

it('tries again while the store is away, and gives up in the end', async () => {
  const store = awayStore();
  const failures: unknown[] = [];
  const history = createCallHistory({ store, clock: Date.now, report: (error) => failures.push(error) });
  history.note(call());
  expect(store.tries()).toBe(0);
  await vi.advanceTimersByTimeAsync(writtenWithinMs);
  expect(store.tries()).toBe(1);
  await vi.advanceTimersByTimeAsync(100 * writtenWithinMs);
  expect(store.tries()).toBe(31);
  expect(failures).toHaveLength(31);
});

it('writes what waits when it ends, and nothing afterwards', async () => {
  const store = awayStore();
  const history = createCallHistory({ store, clock: Date.now, report: () => {} });
  history.note(call());
  await history.close();
  expect(store.tries()).toBe(1);
  history.note(call());
  await vi.advanceTimersByTimeAsync(10 * writtenWithinMs);
  expect(store.tries()).toBe(1);
});

const line = (at: number, change: Partial<CallLine> = {}): CallLine => ({
  token: { id: 'token', kind: 'agent', name: 'helper', lastFour: 'abcd' },
  ...{ call: 'get_app', subject: null, outcome: 'ok', hour: 0, count: 1 },
  ...{ firstAt: at, lastAt: at, address: '192.0.2.1', ...change },
});

it('makes one line of equal calls from one address', () => {
  const lines = new Map<string, CallLine>();
  for (const at of [1, 2, 3]) add(lines, line(at));
  for (const other of [{ call: 'get_server' }, { outcome: 'failed' }, { hour: 1 }] as const)
    add(lines, line(4, other));
  add(lines, line(4, { subject: { kind: 'app', id: 'one' } }));
  add(lines, line(4, { address: '192.0.2.2' }));
  expect([...lines.values()].map(({ count }) => count)).toEqual([3, 1, 1, 1, 1, 1]);
  expect([...lines.values()][0]).toMatchObject({ firstAt: 1, lastAt: 3 });
});

it('counts what is there and takes nothing new beyond its bound', () => {
  const lines = new Map<string, CallLine>();
  for (let at = 0; at < programCallLimits.waiting + 1; at += 1)
    add(lines, line(at, { subject: { kind: 'app', id: String(at) } }));
  add(lines, line(1, { subject: { kind: 'app', id: '0' } }));
  expect(lines.size).toBe(programCallLimits.waiting);
  expect([...lines.values()][0]?.count).toBe(2);
});

it('keeps half of its room from refused guesses, which are one line then', () => {
  const lines = new Map<string, CallLine>();
  for (let at = 0; at < programCallLimits.waiting; at += 1)
    add(lines, line(at, { outcome: 'refused', subject: { kind: 'app', id: String(at) } }));
  expect(lines.size).toBe(programCallLimits.waiting / 2 + 1);
  expect([...lines.values()].at(-1)).toMatchObject({ subject: null, count: programCallLimits.waiting / 2 });
  add(lines, line(1, { subject: { kind: 'app', id: 'own' } }));
  expect([...lines.values()].at(-1)).toMatchObject({ subject: { id: 'own' } });
});
