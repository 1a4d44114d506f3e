import { expect, it } from 'vitest';
import { type Turn, Turns, WaitingPieces } from './turns.ts';

/** Turns of 2 ms by a clock that only work moves on. */
function turns(mostBytes = 1_000_000) {
  let now = 0;
  const done: string[] = [];
  return {
    all: new Turns(2, mostBytes, () => now),
    pass: (ms: number) => {
      now += ms;
    },
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
  eve.later(work('eve 5', 1), 0);
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1']);
  await nextTurn();
  expect(done).toEqual(['eve 1', 'eve 2', 'ada 1', 'eve 5']);
  expect(eve.takes(work('eve 6', 1))).toBe(true);
});

it('lets an account have the time of all in a turn while no other had work for a second, and no longer', async () => {
  const { all, done, work, pass } = turns();
  const [eve, ada] = [all.of('eve'), all.of('ada')];
  eve.takes(work('eve', 2));
  pass(1_000);
  await nextTurn();
  const taken = () => Array.from({ length: 9 }, (_, n) => eve.takes(work(String(n), 1)));
  expect(taken().filter(Boolean)).toHaveLength(8);
  await nextTurn();
  for (let n = 0; n < 9; n += 1) eve.later(work(`late ${n}`, 1), 0);
  done.length = 0;
  await nextTurn();
  expect(done).toHaveLength(8);
  await nextTurn();
  expect(done).toHaveLength(9);

  ada.takes(work('ada', 2));
  await nextTurn();
  expect(taken().filter(Boolean)).toHaveLength(2);
  pass(1_000);
  await nextTurn();
  expect(taken().filter(Boolean)).toHaveLength(8);
});

it('does what waits in its order, an account’s time in each turn, and new work behind it', async () => {
  const { all, done, work } = turns();
  const [eve, ada] = [all.of('eve'), all.of('ada')];
  for (const name of ['eve 1', 'eve 2', 'eve 3', 'eve 4']) eve.later(work(name, 1), 0);
  ada.later(work('ada 1', 1), 0);
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
  for (const name of ['1', '2', '3']) eve.later(work(name, 50), 0);
  await nextTurn();
  expect(done).toEqual(['1']);
  await nextTurn();
  expect(done).toEqual(['1', '2']);
});

it('begins each turn with the accounts that the one before did not reach', async () => {
  const { all, done, work } = turns();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) for (let piece = 0; piece < 2; piece += 1) all.of(name).later(work(name, 2), 0);
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
  const pieces = new WaitingPieces(
    eve,
    () => done.push('reads on'),
    () => done.push('is held'),
  );
  pieces.end(() => done.push('ends early'));
  expect(pieces.take(work('1', 2), () => work('no', 0), 1)).toBe(true);
  expect(pieces.take(work('no', 0), () => work('2', 0), 1)).toBe(false);
  expect(pieces.isEmpty).toBe(false);
  pieces.end(() => done.push('ends'));
  expect(done).toEqual(['ends early', '1']);
  await nextTurn();
  expect(done).toEqual(['ends early', '1', '2', 'ends', 'reads on']);
});

const kib = 1024;

/** Streams of one account that bring a piece of 64 KiB at each look for bytes, as long as they are read. */
function streams(turn: Turn, count: number) {
  const read = new Set<number>();
  const leaves = Array.from({ length: count }, (_, n) => {
    read.add(n);
    return turn.join({ hold: () => void read.delete(n), readOn: () => void read.add(n) });
  });
  const look = (work: (n: number) => () => void) => {
    let brought = 0;
    for (let n = 0; n < count; n += 1) {
      // A stream that was held during this look brings nothing any more.
      if (!read.has(n)) continue;
      turn.later(work(n), 64 * kib);
      brought += 1;
    }
    return brought;
  };
  return { read, look, leaves };
}

it('reads no stream of an account on while its share of bytes waits, each of them again later, and nobody else’s less', async () => {
  const most = 1024 * kib;
  const { all, work } = turns(most);
  const [eve, ada] = [all.of('eve'), all.of('ada')];
  const hers = streams(ada, 3);
  const his = streams(eve, 500);
  const served = new Set<number>();
  let waiting = 0;
  let highest = 0;
  for (let turn = 0; turn < 2_000 && served.size < 500; turn += 1) {
    waiting += his.look((n) => () => {
      waiting -= 1;
      served.add(n);
      work(String(n), 0.5)();
    });
    highest = Math.max(highest, waiting * 64 * kib);
    expect(hers.read.size).toBe(3);
    await nextTurn();
  }
  expect(served.size).toBe(500);
  expect(highest).toBeGreaterThan(most / 2);
  expect(highest).toBeLessThanOrEqual(most + 64 * kib);
  for (let turn = 0; turn < 500 && waiting + (500 - his.read.size) > 0; turn += 1) await nextTurn();
  expect(his.read.size).toBe(500);
});

it('holds a stream that begins while others are held, and reads no stream on that has left', async () => {
  const { all, work } = turns(64 * kib);
  const eve = all.of('eve');
  const first = streams(eve, 1);
  eve.later(work('1', 1), 64 * kib + 1);
  expect(first.read.size).toBe(0);
  const second = streams(eve, 1);
  expect(second.read.size).toBe(0);
  first.leaves[0]?.();
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect([first.read.size, second.read.size]).toEqual([0, 1]);
});

it('says of a stream that is held that it may not be read, also when none of its pieces waits', async () => {
  const { all, work, done } = turns(10);
  const eve = all.of('eve');
  const pieces = new WaitingPieces(
    eve,
    () => done.push('reads on'),
    () => done.push('is held'),
  );
  pieces.begin();
  eve.later(work('other', 1), 11);
  expect(pieces.isEmpty).toBe(false);
  await nextTurn();
  expect(pieces.isEmpty).toBe(true);
  expect(done).toEqual(['is held', 'other', 'reads on']);
});
