import { expect, test } from 'vitest';
import { createNetwork } from './own-network.ts';

function networkWhere(statuses: Record<string, number | null>) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const network = createNetwork(
    Object.keys(statuses),
    (url) => {
      asked.push(url);
      return Promise.resolve({ status: statuses[url] ?? null });
    },
    () => clock.now,
  );
  return { clock, asked, network, statuses };
}

test('any answer of any anchor proves the network', async () => {
  expect(await networkWhere({ a: null, b: 500 }).network.isThere()).toBe(true);
  expect(await networkWhere({ a: null, b: null }).network.isThere()).toBe(false);
});

test('without anchors the network counts as up', async () => {
  expect(await networkWhere({}).network.isThere()).toBe(true);
});

test('many simultaneous failures ask the anchors once, and again after five seconds', async () => {
  const { clock, asked, network, statuses } = networkWhere({ a: null });
  expect(await Promise.all([network.isThere(), network.isThere()])).toEqual([false, false]);
  statuses.a = 200;
  clock.now = 4_999;
  expect(await network.isThere()).toBe(false);
  clock.now = 5_000;
  expect(await network.isThere()).toBe(true);
  expect(asked).toEqual(['a', 'a']);
});
