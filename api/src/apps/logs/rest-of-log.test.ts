import { describe, expect, it } from 'vitest';
import { restOfLog } from './rest-of-log.ts';

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
