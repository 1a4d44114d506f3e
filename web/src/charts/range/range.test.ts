import { expect, it } from 'vitest';
import { fieldText, rangeBetween, rangeOf, readTyped, searchOf } from './range.ts';

const at = Date.UTC(2026, 10, 23, 14, 5);
const hour = 3_600_000;

it.each([
  { name: 'nothing', search: {}, range: { spanSeconds: 86_400, to: null } },
  { name: 'a length', search: { last: '7d' }, range: { spanSeconds: 604_800, to: null } },
  { name: 'an unknown length', search: { last: '3 weeks' }, range: { spanSeconds: 86_400, to: null } },
  {
    name: 'two moments',
    search: { from: '2026-11-23T12:05:00Z', to: '2026-11-23T14:05:00Z' },
    range: { spanSeconds: 7_200, to: at },
  },
  {
    name: 'moments in the wrong order',
    search: { from: '2026-11-23T14:05:00Z', to: '2026-11-23T12:05:00Z' },
    range: { spanSeconds: 86_400, to: null },
  },
  { name: 'one moment', search: { from: '2026-11-23T14:05:00Z' }, range: { spanSeconds: 86_400, to: null } },
])('an address with $name has a range', ({ search, range }) => {
  expect(rangeOf(search)).toEqual(range);
});

it('the address of a range shows the same range', () => {
  for (const range of [{ spanSeconds: 604_800, to: null }, rangeBetween(at - 5 * hour, at)])
    expect(rangeOf(searchOf(range))).toEqual(range);
});

it('a selection of some minutes shows the hour around it, and one of years the last year', () => {
  expect(rangeBetween(at - 60_000, at + 60_000)).toEqual({ spanSeconds: 3_600, to: at + hour / 2 });
  expect(rangeBetween(0, at)).toEqual({ spanSeconds: 366 * 86_400, to: at });
});

it('typed moments are read in the reader’s time zone, and refused with the reason', () => {
  expect(readTyped(fieldText(at - 2 * hour), fieldText(at))).toEqual({
    range: { spanSeconds: 7_200, to: at },
  });
  expect(readTyped('', fieldText(at))).toEqual({ wrong: 'Enter a date and a time in both fields.' });
  expect(readTyped(fieldText(at), fieldText(at))).toEqual({ wrong: 'The end has to be after the begin.' });
  expect(readTyped(fieldText(at - hour / 2), fieldText(at))).toEqual({
    wrong: 'A chart shows an hour at least.',
  });
  expect(readTyped(fieldText(0), fieldText(at))).toEqual({ wrong: 'A chart shows a year at most.' });
});
