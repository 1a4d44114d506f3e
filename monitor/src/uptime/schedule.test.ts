import { notificationRules } from '@homeport/contract/notifications/kinds';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import { expect, test } from 'vitest';
import { looks } from '../notices/start-watch.ts';
import { capacityWithin, inGroups, isAtItsPlace, nextDueAt } from './schedule.ts';

const minute = 60_000;

test('a check keeps its place in the interval', () => {
  const first = nextDueAt(7, minute, 1_000_000);
  expect(nextDueAt(7, minute, first)).toBe(first + minute);
  expect(nextDueAt(7, minute, first + 10_000)).toBe(first + minute);
  expect(nextDueAt(7, minute, first + 29_999)).toBe(first + minute);
});

test('a check that was just made is not made again at once', () => {
  for (let id = 1; id < 200; id += 1) {
    const wait = nextDueAt(id, minute, 5_000_000) - 5_000_000;
    expect(wait).toBeGreaterThanOrEqual(minute / 2);
    expect(wait).toBeLessThan(minute * 1.5);
  }
});

test('a check at its place is told from one that was claimed or is due sooner', () => {
  for (let id = 1; id < 200; id += 1) {
    const dueAt = nextDueAt(id, minute, 5_000_000);
    expect(isAtItsPlace({ id, everyMs: minute, dueAt })).toBe(true);
    expect(isAtItsPlace({ id, everyMs: minute, dueAt: dueAt - 20_000 })).toBe(false);
  }
});

test('news of a server gathers until the checks of all its apps, which come together, were looked at', () => {
  const attempts = 2 * uptimeRules.deadlineMs;
  expect(notificationRules.groupMs).toBeGreaterThanOrEqual(attempts + looks.standings);
});

test('a thousand checks are spread evenly over the interval', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let id = 1; id <= 1_000; id += 1) {
    const tenth = Math.floor((nextDueAt(id, minute, 0) % minute) / (minute / 10));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(count).toBeGreaterThan(90);
});

const due = (...times: number[]) => times.map((dueAt) => ({ dueAt }));
const planned = (groups: ReturnType<typeof inGroups>) =>
  groups.map(({ beginAt, checks }) => [beginAt, ...checks.map(({ dueAt }) => dueAt)]);

test('checks of the same half second begin together, and never too early', () => {
  expect(planned(inGroups(due(10_900, 10_400, 10_001, 10_500, 10_501), 10_000))).toEqual([
    [10_500, 10_001, 10_400, 10_500],
    [11_000, 10_501, 10_900],
  ]);
});

test('late checks begin at once, in the order of their due times, and not all together', () => {
  const late = due(...Array.from({ length: 20 }, (_, index) => 5_000 - index));
  const groups = inGroups(late, 10_000);
  expect(groups.map(({ beginAt, checks }) => [beginAt - 10_000, checks.length])).toEqual([
    [0, 8],
    [40, 8],
    [80, 4],
  ]);
  expect(groups.flatMap(({ checks }) => checks).map(({ dueAt }) => dueAt)).toEqual(
    late.map(({ dueAt }) => dueAt).reverse(),
  );
});

test('as many checks begin within a second as the capacity allows', () => {
  const last = inGroups(due(...new Array<number>(capacityWithin(1_000)).fill(0)), 0).at(-1);
  expect(last?.beginAt).toBeLessThan(1_000);
  expect(last?.checks).toHaveLength(8);
});
