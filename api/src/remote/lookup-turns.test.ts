import { nameLookups } from '@homeport/contract/servers/facts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLookupTurns, type Turns } from './lookup-turns.ts';

let turns: Turns;
beforeEach(() => {
  vi.useFakeTimers();
  turns = createLookupTurns();
});
afterEach(() => {
  vi.useRealTimers();
});

const { perPerson, atOnce, waiting, waitMs } = nameLookups;
/** Takes turns that are free. */
const takeMany = async (person: string, count: number) => {
  const ends: (() => void)[] = [];
  for (let n = 0; n < count; n += 1) {
    const end = await turns.take(person);
    if (!end) throw new Error('No turn came.');
    ends.push(end);
  }
  return ends;
};
/** What has come of a turn so far. */
const watch = (taken: Promise<(() => void) | null>) => {
  const seen: { came?: 'turn' | 'none' } = {};
  void taken.then((end) => {
    seen.came = end ? 'turn' : 'none';
  });
  return seen;
};
const soon = () => vi.advanceTimersByTimeAsync(0);

test('one person has a limited number at once, and the next one waits for an end', async () => {
  const [end = () => undefined] = await takeMany('ines', perPerson);
  const next = watch(turns.take('ines'));
  await soon();
  expect(next.came).toBeUndefined();
  expect(watch(turns.take('otto'))).toBeDefined();
  end();
  end();
  await soon();
  expect(next.came).toBe('turn');
  const another = watch(turns.take('ines'));
  await soon();
  expect(another.came).toBeUndefined();
});

test('whoever waits longer than the time has none', async () => {
  await takeMany('ines', perPerson);
  const next = watch(turns.take('ines'));
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  expect(next.came).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(next.came).toBe('none');
});

test('a request that ends leaves its place to the next one, and takes no turn after', async () => {
  const [end = () => undefined] = await takeMany('ines', perPerson);
  const request = new AbortController();
  const queue = Array.from({ length: waiting }, (_, n) =>
    watch(turns.take('ines', n === 0 ? request.signal : undefined)),
  );
  request.abort();
  await soon();
  expect(queue[0]?.came).toBe('none');
  const later = watch(turns.take('ines'));
  end();
  await soon();
  expect(queue[1]?.came).toBe('turn');
  expect([later.came, watch(turns.take('otto', request.signal))]).toEqual([undefined, {}]);
  await soon();
  expect(await turns.take('otto', request.signal)).toBeNull();
});

test('a limited number of one person waits', async () => {
  await takeMany('ines', perPerson);
  const queue = Array.from({ length: waiting }, () => watch(turns.take('ines')));
  const beyond = watch(turns.take('ines'));
  await soon();
  expect(beyond.came).toBe('none');
  expect(queue.every(({ came }) => came === undefined)).toBe(true);
});

test('while some persons take all that there are, another one is next', async () => {
  const slow = Array.from({ length: atOnce / perPerson }, (_, n) => `slow-${n}`);
  const ends: (() => void)[] = [];
  for (const person of slow) ends.push(...(await takeMany(person, perPerson)));
  const theirs = slow.map((person) => watch(turns.take(person)));
  const other = watch(turns.take('ines'));
  await soon();
  expect(other.came).toBeUndefined();
  ends[0]?.();
  await soon();
  expect(other.came).toBe('turn');
  expect(theirs.every(({ came }) => came === undefined)).toBe(true);
});
