import { describe, expect, it } from 'vitest';
import { restOfLog } from './rest-of-log.ts';

describe('a log that is over', () => {
  it('goes on with its end where its beginning was told', () => {
    expect(restOfLog(['a', 'b'], ['a', 'b', 'c'])).toEqual({ anew: false, lines: ['c'] });
  });
  it('has nothing left where all of it was told, empty lines at its end included', () => {
    expect(restOfLog(['a', 'b'], ['a', 'b'])).toEqual({ anew: false, lines: [] });
    expect(restOfLog(['a', 'b', '', ''], ['a', 'b'])).toEqual({ anew: false, lines: [] });
  });
  it('begins anew for a follower who came late', () => {
    expect(restOfLog(['b', 'c'], ['a', 'b', 'c'])).toEqual({ anew: true, lines: ['a', 'b', 'c'] });
    expect(restOfLog([], ['a'])).toEqual({ anew: true, lines: ['a'] });
  });
  it('leaves what was told alone where the server keeps no log', () => {
    expect(restOfLog(['a'], [])).toEqual({ anew: false, lines: [] });
  });
});
