import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchStats } from './live.ts';

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

it('is silent again when nothing came', () => {
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
