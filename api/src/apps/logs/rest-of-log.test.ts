import { remoteOutputBytes } from '@homeport/contract/limits';
import { describe, expect, it } from 'vitest';
import { restOfLog, ToldLines } from './rest-of-log.ts';

describe('a log that has ended', () => {
  it('sends its end to a reader who has its beginning', () => {
    expect(restOfLog(['a', 'b'], ['a', 'b', 'c'])).toEqual({ anew: false, lines: ['c'] });
  });
  it('has nothing left for a reader who has all of it, empty lines at its end included', () => {
    expect(restOfLog(['a', 'b'], ['a', 'b'])).toEqual({ anew: false, lines: [] });
    expect(restOfLog(['a', 'b', '', ''], ['a', 'b'])).toEqual({ anew: false, lines: [] });
  });
  it('begins from the start for a late reader', () => {
    expect(restOfLog(['b', 'c'], ['a', 'b', 'c'])).toEqual({ anew: true, lines: ['a', 'b', 'c'] });
    expect(restOfLog([], ['a'])).toEqual({ anew: true, lines: ['a'] });
  });
  it('adds nothing when the server keeps no log', () => {
    expect(restOfLog(['a'], [])).toEqual({ anew: false, lines: [] });
  });
});

it('remembers told lines as far as a stored log is read, and then says that they are not all', () => {
  const told = new ToldLines();
  const line = 'x'.repeat(1_023);
  for (let count = 0; count < remoteOutputBytes / 1_024; count += 1) told.add(line);
  expect([told.areAll, told.lines.length]).toEqual([true, 1_024]);
  for (let count = 0; count < 10_000; count += 1) told.add(line);
  expect([told.areAll, told.lines.length]).toEqual([false, 1_024]);
});
