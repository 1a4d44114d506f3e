import { expect, it } from 'vitest';
import { Turns, WaitingPieces } from './turns.ts';

/** Turns of 2 ms by a clock that only work moves on. */
function turns() {
  let now = 0;
  const done: string[] = [];
  return {
    all: new Turns(2, () => now),
    done,
    work: (name: string, ms: number) => () => {
      done.push(name);
      now += ms;
    },
  };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('lets an account that has used its time wait for the next turn, and nobody else', async () => {
  const { all, done, work } = turns();
  const [eve, ada] = [all.of('eve'), all.of('ada')];
  expect([eve.takes(work('eve 1', 1)), eve.takes(work('eve 2', 1)), eve.takes(work('eve 3', 1))]).toEqual([
    ...[true, true, false],
  ]);
  expect(ada.takes(work('ada 1', 1))).toBe(true);
  expect(all.of('eve').takes(work('eve 4', 1))).toBe(false);
  eve.later(work('eve 5', 1));
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1']);
  await nextTurn();
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1', 'eve 5']);
  expect(eve.takes(work('eve 6', 1))).toBe(true);
});

it('does what waits in its order, an account’s time in each turn, and new work behind it', async () => {
  const { all, done, work } = turns();
  const [eve, ada] = [all.of('eve'), all.of('ada')];
  for (const name of ['eve 1', 'eve 2', 'eve 3', 'eve 4']) eve.later(work(name, 1));
  ada.later(work('ada 1', 1));
  expect(eve.takes(work('eve 5', 1))).toBe(false);
  await nextTurn();
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1']);
  expect(eve.takes(work('eve 5', 1))).toBe(false);
  await nextTurn();
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1', 'eve 3', 'eve 4']);
});

it('does one piece of an account in a turn where a piece takes longer than its time', async () => {
  const { all, done, work } = turns();
  const eve = all.of('eve');
  for (const name of ['1', '2', '3']) eve.later(work(name, 50));
  await nextTurn();
  expect(done).toEqual(['1']);
  await nextTurn();
  expect(done).toEqual(['1', '2']);
});

it('begins each turn with the accounts that the one before did not reach', async () => {
  const { all, done, work } = turns();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) for (let piece = 0; piece < 2; piece += 1) all.of(name).later(work(name, 2));
  await nextTurn();
  expect(done.join('')).toBe('abcd');
  await nextTurn();
  expect(done.join('')).toBe('abcdefab');
});

it('has an account’s time counted once, whoever asks for it', () => {
  const { all, work } = turns();
  expect(all.of('eve').takes(work('1', 2))).toBe(true);
  all.keepOnly(new Set(['eve']));
  expect(all.of('eve').takes(work('2', 1))).toBe(false);
  all.keepOnly(new Set());
  expect(all.of('eve').takes(work('3', 1))).toBe(true);
});

it('reads a stream on when none of its pieces waits, and ends it behind the last', async () => {
  const { all, done, work } = turns();
  const eve = all.of('eve');
  const pieces = new WaitingPieces(eve, () => done.push('reads on'));
  pieces.end(() => done.push('ends early'));
  expect(pieces.take(work('1', 2), () => work('no', 0))).toBe(true);
  expect(pieces.take(work('no', 0), () => work('2', 0))).toBe(false);
  expect(pieces.isEmpty).toBe(false);
  pieces.end(() => done.push('ends'));
  expect(done).toEqual(['ends early', '1']);
  await nextTurn();
  expect(done).toEqual(['ends early', '1', '2', 'ends', 'reads on']);
});
