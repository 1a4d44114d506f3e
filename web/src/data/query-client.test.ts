import type { ErrorCode } from '@homeport/contract/problems/facts';
import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { createQueryClient } from './query-client.ts';

/** Reads something that is refused so often before it is there. */
async function read(code: ErrorCode, refusals: number) {
  vi.useFakeTimers();
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let asked = 0;
  const queryFn = () => {
    asked += 1;
    if (asked <= refusals) throw new ApiProblem({ code, message: 'm', recovery: 'r' });
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
  'a reading that ended with %s is made once more',
  async (code) => {
    expect(await read(code, 1)).toEqual({ asked: 2, tellings: 0, data: 'read' });
    expect(await read(code, 2)).toEqual({ asked: 2, tellings: 1, data: undefined });
  },
);

test('what the console refuses is not asked for again', async () => {
  expect(await read('conflict', 1)).toEqual({ asked: 1, tellings: 1, data: undefined });
});

test('what is gone is not told as a failure', async () => {
  expect(await read('not_found', 1)).toEqual({ asked: 1, tellings: 0, data: undefined });
});
