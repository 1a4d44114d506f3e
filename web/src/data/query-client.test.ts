import type { ErrorCode } from '@homeport/contract/problems/facts';
import { notifyManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { askedOnce } from '../on-server/asked-once.ts';
import { ApiProblem } from './api-problem.ts';
import { createQueryClient } from './query-client.ts';

const problem = (code: ErrorCode) => new ApiProblem({ code, message: 'm', recovery: 'r' });

/** Runs a query that fails `failures` times before it succeeds. */
async function read(error: Error, failures: number) {
  vi.useFakeTimers();
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let asked = 0;
  const queryFn = () => {
    asked += 1;
    if (asked <= failures) throw error;
    return 'read';
  };
  const query = new QueryObserver(createQueryClient(), { queryKey: ['a'], queryFn, refetchInterval: false });
  const stop = query.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  stop();
  const tellings = told.mock.calls.length;
  vi.useRealTimers();
  vi.restoreAllMocks();
  return { asked, tellings, data: query.getCurrentResult().data };
}

test.each(['unavailable', 'connection_lost'] as const)(
  'a query that failed with %s is repeated once',
  async (code) => {
    expect(await read(problem(code), 1)).toEqual({ asked: 2, tellings: 0, data: 'read' });
    expect(await read(problem(code), 2)).toEqual({ asked: 2, tellings: 1, data: undefined });
  },
);

test('a refused query is not repeated', async () => {
  expect(await read(problem('conflict'), 1)).toEqual({ asked: 1, tellings: 1, data: undefined });
});

test('a deleted record is not reported as a failure', async () => {
  expect(await read(problem('not_found'), 1)).toEqual({ asked: 1, tellings: 0, data: undefined });
});

test('the end of the session is not reported as a failure: the page leads to signing in', async () => {
  expect(await read(problem('not_signed_in'), 1)).toEqual({ asked: 1, tellings: 0, data: undefined });
});

test('a request that the browser ended, because the person leaves the page, is no failure, and is repeated', async () => {
  const cutOff = new DOMException('The operation was aborted.', 'AbortError');
  expect(await read(cutOff, 1)).toEqual({ asked: 2, tellings: 0, data: 'read' });
  expect(await read(cutOff, 2)).toEqual({ asked: 2, tellings: 0, data: undefined });
});

test.each([
  ['a query', {}],
  ['a query that asks a server', askedOnce],
])(
  '%s of a browser that says it is offline fails instead of waiting, and is repeated once it is online',
  async (_which, options) => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let lost = true;
    const queryFn = () => {
      if (lost) throw problem('connection_lost');
      return 'read';
    };
    const client = createQueryClient();
    client.mount();
    onlineManager.setOnline(false);
    const query = new QueryObserver(client, { queryKey: ['a'], queryFn, refetchInterval: false, ...options });
    const stop = query.subscribe(() => undefined);
    try {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(query.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' });
      lost = false;
      onlineManager.setOnline(true);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(query.getCurrentResult().data).toBe('read');
    } finally {
      onlineManager.setOnline(true);
      stop();
      client.unmount();
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  },
);

test('tells what was read without a timer, which a browser runs late in a hidden tab', async () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  const query = new QueryObserver(createQueryClient(), { queryKey: ['a'], queryFn: async () => 'read' });
  // As `useQuery` listens.
  const stop = query.subscribe(notifyManager.batchCalls(({ data }) => told.push(data)));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  stop();
  vi.useRealTimers();
  expect(told.at(-1)).toBe('read');
});
