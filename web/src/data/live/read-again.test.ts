import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { readAgain } from './read-again.ts';

const queryKey = ['apps', 'GET /api/apps', null];

/** A query that a page shows. `answer` answers the oldest request that waits. */
function shown() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requests: { signal: AbortSignal; answer: (data: string) => void }[] = [];
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise<string>((resolve) => {
        requests.push({ signal, answer: resolve });
      }),
  });
  const stop = observer.subscribe(() => undefined);
  const turn = () => vi.advanceTimersByTimeAsync(0);
  const answer = async (data: string) => {
    requests.at(-1)?.answer(data);
    await turn();
  };
  return { client, requests, observer, stop, turn, answer };
}

afterEach(() => {
  vi.useRealTimers();
});

it('reads once more after an answer that is under way, however many changes come meanwhile', async () => {
  vi.useFakeTimers();
  const { client, requests, observer, stop, turn, answer } = shown();
  await answer('first');
  const changes = Array.from({ length: 20 }, () => readAgain(client, { queryKey: ['apps'] }));
  await turn();
  expect(requests).toHaveLength(2);
  await answer('old');
  expect(requests).toHaveLength(3);
  await answer('new');
  await Promise.all(changes);
  expect(observer.getCurrentResult().data).toBe('new');
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  stop();
});

it('reads again what changed during the first reading', async () => {
  vi.useFakeTimers();
  const { client, requests, observer, stop, answer } = shown();
  const change = readAgain(client);
  await answer('before the change');
  expect(requests).toHaveLength(2);
  await answer('after it');
  await change;
  expect(observer.getCurrentResult().data).toBe('after it');
  stop();
});

it('gives a request up that is not answered', async () => {
  vi.useFakeTimers();
  const { client, requests, observer, stop, answer } = shown();
  await answer('first');
  void readAgain(client);
  void readAgain(client);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  await answer('at last');
  expect(observer.getCurrentResult().data).toBe('at last');
  stop();
});

it('sends nothing more when the reading is given up, as at the sign-out', async () => {
  vi.useFakeTimers();
  const { client, requests, observer, stop, turn, answer } = shown();
  await answer('first');
  void readAgain(client);
  void readAgain(client);
  await client.cancelQueries();
  await turn();
  expect(requests).toHaveLength(2);
  expect(observer.getCurrentResult()).toMatchObject({ data: 'first', isStale: true });
  stop();
});
