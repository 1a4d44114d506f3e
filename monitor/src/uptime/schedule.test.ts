import { expect, test } from 'vitest';
import { nextDueAt } from './schedule.ts';

const minute = 60_000;

test('a check keeps its place in the interval', () => {
  const first = nextDueAt(7, minute, 1_000_000);
  expect(nextDueAt(7, minute, first)).toBe(first + minute);
  expect(nextDueAt(7, minute, first + 10_000)).toBe(first + minute);
  expect(nextDueAt(7, minute, first + 29_999)).toBe(first + minute);
});

test('one that was just made is not made again at once', () => {
  for (let id = 1; id < 200; id += 1) {
    const wait = nextDueAt(id, minute, 5_000_000) - 5_000_000;
    expect(wait).toBeGreaterThanOrEqual(minute / 2);
    expect(wait).toBeLessThan(minute * 1.5);
  }
});

test('a thousand checks are spread evenly over the interval', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let id = 1; id <= 1_000; id += 1) {
    const tenth = Math.floor((nextDueAt(id, minute, 0) % minute) / (minute / 10));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(count).toBeGreaterThan(90);
});
