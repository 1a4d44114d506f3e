import { describe, expect, it } from 'vitest';
import { appendLines, emptyLog } from './log-lines.ts';
import { keptHits, placeOf, searchFor, searchOn } from './log-search.ts';

const log = (...texts: string[]) =>
  appendLines(
    emptyLog,
    texts.map((text) => ({ text })),
  );

describe('searching a log', () => {
  it('ignores colour codes and case', () => {
    const search = searchFor('ERROR');
    expect(searchOn(search, log('\u001b[31mErr\u001b[0mor: disk', 'fine', 'an error').lines, 10)).toBe(
      'done',
    );
    expect(search.hits).toEqual([1, 3]);
  });
  it('finds nothing for an empty search', () => {
    const search = searchFor('');
    expect(searchOn(search, log('a').lines, 10)).toBe('done');
    expect(search.hits).toEqual([]);
  });
  it('continues in pieces from where it stopped', () => {
    const search = searchFor('a');
    const { lines } = log('a', 'b', 'a', 'a');
    expect(searchOn(search, lines, 2)).toBe('more');
    expect(search.hits).toEqual([1]);
    expect(searchOn(search, lines, 2)).toBe('done');
    expect(search.hits).toEqual([1, 3, 4]);
  });
  it('searches new lines, also when earlier lines were dropped', () => {
    const search = searchFor('a');
    const before = log('a', 'b', 'a');
    searchOn(search, before.lines, 10);
    const after = appendLines(before, [{ text: 'b' }, { text: 'a' }], 3);
    expect(searchOn(search, after.lines, 10)).toBe('done');
    expect(search.hits).toEqual([1, 3, 5]);
    expect(keptHits(search.hits, after.lines)).toEqual([3, 5]);
  });
  it('searches the remaining lines when more lines came than are kept', () => {
    const search = searchFor('a');
    const before = log('a');
    searchOn(search, before.lines, 10);
    const after = appendLines(before, [{ text: 'b' }, { text: 'a' }, { text: 'a' }], 2);
    searchOn(search, after.lines, 10);
    expect(keptHits(search.hits, after.lines)).toEqual([3, 4]);
  });
  it('starts again when the log starts again', () => {
    const search = searchFor('a');
    searchOn(search, log('a', 'a').lines, 10);
    searchOn(search, log('b', 'b', 'a').lines, 10);
    expect(search.hits).toEqual([3]);
  });
});

it('finds the place of a number', () => {
  expect([0, 2, 3, 9, 10].map((wanted) => placeOf([2, 4, 9], wanted))).toEqual([0, 0, 1, 2, 3]);
});
