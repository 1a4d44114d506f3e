import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMostEvery } from './at-most-every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first call runs at once, and those soon after it once', () => {
  let runs = 0;
  const often = atMostEvery(20, () => {
    runs += 1;
  });
  for (let call = 0; call < 5; call += 1) often.ask();
  expect(runs).toBe(1);
  vi.advanceTimersByTime(20);
  expect(runs).toBe(2);
  vi.advanceTimersByTime(100);
  expect(runs).toBe(2);
  often.ask();
  expect(runs).toBe(3);
});

test('nothing runs after the stop', () => {
  let runs = 0;
  const often = atMostEvery(20, () => {
    runs += 1;
  });
  often.ask();
  often.ask();
  often.stop();
  vi.advanceTimersByTime(100);
  expect(runs).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
