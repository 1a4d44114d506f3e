import { expect, it } from 'vitest';
import { GatheredPieces } from './gather-pieces.ts';

/** A reader whose pieces can be looked at, and who takes them when told to. */
function reader({ isBehind = false, waitsForMore = false } = {}) {
  const pieces: [stream: string, text: string][] = [];
  let waiting: (() => void)[] = [];
  let taken = 0;
  const gathered = new GatheredPieces(
    (stream, bytes) => {
      pieces.push([stream, bytes.toString('latin1')]);
      if (isBehind) return new Promise<void>((resolve) => waiting.push(resolve));
    },
    (bytes) => {
      taken += bytes;
    },
    { waitsForMore },
  );
  const takeAll = async () => {
    const now = waiting;
    waiting = [];
    for (const take of now) take();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { gathered, pieces, takeAll, taken: () => taken };
}

it('hands small pieces at once to a reader who takes them', () => {
  const { gathered, pieces, taken } = reader();
  gathered.add('stdout', Buffer.from('a'));
  gathered.add('stderr', Buffer.from('b'));
  expect(pieces).toEqual([
    ['stdout', 'a'],
    ['stderr', 'b'],
  ]);
  expect(taken()).toBe(2);
});

it('makes one piece of small ones while its reader is behind, and hands it over when the reader has taken the others', async () => {
  const { gathered, pieces, takeAll, taken } = reader({ isBehind: true });
  for (const letter of 'abcd') gathered.add('stdout', Buffer.from(letter));
  gathered.add('stderr', Buffer.from('e'));
  gathered.add('stdout', Buffer.from('f'));
  expect(pieces).toEqual([['stdout', 'a']]);
  await takeAll();
  expect(pieces.slice(1)).toEqual([
    ['stdout', 'bcd'],
    ['stderr', 'e'],
    ['stdout', 'f'],
  ]);
  expect(taken()).toBe(1);
  await takeAll();
  expect(taken()).toBe(6);
});

it('hands a window that comes byte by byte over in few pieces, whoever reads it and however the streams alternate', () => {
  const window = 2 * 1024 * 1024;
  const { gathered, pieces } = reader({ isBehind: true });
  const byte = Buffer.from('x');
  for (let n = 0; n < window; n += 1) gathered.add(n % 2 === 0 ? 'stdout' : 'stderr', byte);
  gathered.flush();
  expect(pieces.length).toBeLessThan(10_000);
  expect(pieces.reduce((sum, [, text]) => sum + text.length, 0)).toBe(window);
});

it('passes a large piece on behind what was gathered before it, also to a reader who is behind', () => {
  const { gathered, pieces } = reader({ isBehind: true });
  for (const text of ['a', 'b', 'c'.repeat(2_000), 'd'.repeat(2_000)])
    gathered.add('stdout', Buffer.from(text));
  expect(pieces.map(([, text]) => text.length)).toEqual([1, 1, 2_000, 2_000]);
});

it('makes one piece of what comes in one read, where the reader keeps pieces', async () => {
  const { gathered, pieces } = reader({ waitsForMore: true });
  for (let n = 0; n < 500; n += 1) gathered.add('stdout', Buffer.from('x'));
  expect(pieces).toEqual([]);
  await Promise.resolve();
  expect(pieces).toEqual([['stdout', 'x'.repeat(500)]]);
});
