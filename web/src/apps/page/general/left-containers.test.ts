import { expect, test } from 'vitest';
import { idsOf, leftContainers, namesOf, removalOf } from './left-containers.ts';

const now = Date.parse('2026-11-25T16:00:00Z');
const container = (name: string, minutesAgo: number | null) => ({
  name,
  state: 'running',
  createdAt: minutesAgo === null ? null : now - minutesAgo * 60_000,
});

test('a container that a deploy made long ago and never took into use was left', () => {
  const upcoming = [container('shop.web.1.upcoming-7', 45), container('shop.web.2.upcoming-8', 45)];
  const left = leftContainers({ upcoming }, now);
  expect(left).toEqual(upcoming);
  expect(removalOf(left)).toBe('docker container rm --force shop.web.1.upcoming-7 shop.web.2.upcoming-8');
});

test('the console removes them by their ids, which an older plugin does not tell', () => {
  const [a, b] = [container('a', 45), container('b', 45)];
  expect(
    idsOf([
      { ...a, id: '1' },
      { ...b, id: '2' },
    ]),
  ).toEqual(['1', '2']);
  expect(idsOf([{ ...a, id: '1' }, b])).toBeNull();
});

test('the container of a deploy that may still run was not left', () => {
  const upcoming = [container('shop.web.1.upcoming-7', 5), container('shop.web.1.upcoming-9', null)];
  expect(leftContainers({ upcoming }, now)).toEqual([]);
});

test.each([null, undefined])('a server that does not tell them, %o, left none', (upcoming) => {
  expect(leftContainers({ upcoming }, now)).toEqual([]);
});

test('of many containers the first three are named', () => {
  const left = ['a', 'b', 'c', 'd', 'e'].map((name) => container(name, 45));
  expect(namesOf(left.slice(0, 3))).toBe('a (running), b (running), c (running)');
  expect(namesOf(left)).toBe('a (running), b (running), c (running) and 2 more');
});
