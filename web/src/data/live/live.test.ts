import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeyOf } from '../api-query.ts';
import { backOffMs, batchStats, pageAgeMs, renewAppStats, renewStats } from './live.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const collect = () => {
  const read: (string[] | null)[] = [];
  return { read, ...batchStats((servers) => read.push(servers && [...servers])) };
};

it('reads the first report at once and those of the next two seconds together', () => {
  const { read, add } = collect();
  add('a');
  add('b');
  add('c');
  expect(read).toEqual([['a']]);
  vi.advanceTimersByTime(2_000);
  expect(read).toEqual([['a'], ['b', 'c']]);
});

it('reads nothing when no report came', () => {
  const { read, add } = collect();
  add('a');
  vi.advanceTimersByTime(10_000);
  expect(read).toEqual([['a']]);
  add('b');
  expect(read).toEqual([['a'], ['b']]);
});

it('reads all servers when a report names none', () => {
  const { read, add } = collect();
  add('a');
  add(null);
  add('b');
  vi.advanceTimersByTime(2_000);
  expect(read).toEqual([['a'], null]);
});

it('reads nothing once it is stopped', () => {
  const { read, add, stop } = collect();
  add('a');
  add('b');
  stop();
  vi.advanceTimersByTime(10_000);
  expect(read).toEqual([['a']]);
});

/** Two servers with an app each, and all that the monitor tells of them. `readAgain` says what an act invalidates. */
function knownStats() {
  const client = new QueryClient();
  client.setQueryData(queryKeyOf('GET /api/servers'), [
    { id: 's1', monitorId: 'm-s1' },
    { id: 's2', monitorId: 'm-s2' },
  ]);
  client.setQueryData(queryKeyOf('GET /api/apps'), [
    { id: 'a1', serverId: 's1', monitorId: 'm-a1' },
    { id: 'a2', serverId: 's2', monitorId: 'm-a2' },
  ]);
  const series = ['m-s1', 'm-s2', 'm-a1', 'm-a2'].map((monitorId) =>
    queryKeyOf(monitorId.includes('a') ? 'GET /monitor/apps/:monitorId' : 'GET /monitor/dump/:monitorId', {
      params: { monitorId },
    }),
  );
  const bars = ['m-a1', 'm-a2'].map((monitorId) =>
    queryKeyOf('GET /monitor/uptime/:monitorId/bars', { params: { monitorId }, query: { period: '24h' } }),
  );
  return (act: (client: QueryClient) => void) => {
    for (const key of [
      ...series,
      ...bars,
      queryKeyOf('GET /monitor/dumps'),
      queryKeyOf('GET /monitor/uptime'),
    ])
      client.setQueryData(key, {});
    act(client);
    return client
      .getQueryCache()
      .findAll({ queryKey: ['stats'], predicate: ({ state }) => state.isInvalidated })
      .map(({ queryKey }) => {
        const monitor = (queryKey[2] as { params: { monitorId: string } } | null)?.params.monitorId;
        return String(queryKey[1]).endsWith('/bars') ? `bars of ${monitor}` : (monitor ?? queryKey[1]);
      });
  };
}

it('reads the series of a server with those of its apps, and of an app alone', () => {
  const readAgain = knownStats();
  const lists = ['GET /monitor/dumps', 'GET /monitor/uptime'];
  expect(readAgain((client) => renewStats(client, new Set(['s1'])))).toEqual([
    'm-s1',
    'm-a1',
    'bars of m-a1',
    ...lists,
  ]);
  expect(readAgain((client) => renewStats(client, new Set(['a2'])))).toEqual([
    'm-a2',
    'bars of m-a2',
    ...lists,
  ]);
  expect(readAgain((client) => renewStats(client, null))).toHaveLength(8);
});

it('reads nothing of the servers and no bars of past checks again when an app changed', () => {
  const readAgain = knownStats();
  expect(readAgain((client) => renewAppStats(client, 'a1'))).toEqual(['m-a1', 'GET /monitor/uptime']);
  expect(readAgain((client) => renewAppStats(client, 'gone'))).toEqual(['GET /monitor/uptime']);
});

it('reads the figures of databases again with a report, and not when an app changed', () => {
  const keys = [
    queryKeyOf('GET /monitor/databases'),
    queryKeyOf('GET /monitor/databases/:id', { params: { id: 'd1' } }),
  ];
  const readAgain = (act: (client: QueryClient) => void) => {
    const client = new QueryClient();
    for (const key of keys) client.setQueryData(key, {});
    act(client);
    return keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  };
  expect(readAgain((client) => renewAppStats(client, 'a1'))).toEqual([]);
  expect(readAgain((client) => renewStats(client, new Set(['s1'])))).toEqual(keys);
});

it('counts the time that the machine slept in the age of the page, whichever clock stood still', () => {
  const page = (now: number) => ({ now: () => now, timeOrigin: 1_000_000 });
  expect(pageAgeMs(page(400.2), 1_000_400)).toBe(401);
  expect(pageAgeMs(page(400), 4_600_400)).toBe(3_600_400);
  expect(pageAgeMs(page(400), 900_000)).toBe(400);
});

it('waits twice as long after each try, at most a minute, and never less than half of it', () => {
  const tries = Array.from({ length: 20 }, (_, index) => index);
  expect(tries.slice(0, 8).map((count) => backOffMs(count, 0) / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  for (const count of tries) {
    const waits = Array.from({ length: 50 }, () => backOffMs(count, Math.random()));
    const most = backOffMs(count, 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(most);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(most / 2);
    expect(new Set(waits).size).toBeGreaterThan(40);
  }
});
