import { describe, expect, it } from 'vitest';
import { freshLines, noteSeen, nothingSeen, type RemoteLine } from './fresh-lines.ts';

const line = (at: number | null, text: string): RemoteLine => ({ at, process: 'web.1', text });
const texts = (lines: readonly RemoteLine[]) => lines.map(({ text }) => text);

describe('a log that is read again', () => {
  const first = [line(1, 'a'), line(2, 'b'), line(2, 'c')];
  const seen = noteSeen(nothingSeen, first);

  it('tells everything the first time', () => {
    expect(freshLines([line(null, 'warning'), ...first], nothingSeen)).toHaveLength(4);
  });
  it('tells no line twice, and none of the same moment is lost', () => {
    expect(texts(freshLines([...first, line(2, 'd'), line(3, 'a')], seen))).toEqual(['d', 'a']);
  });
  it('drops a line without a time with the old ones and keeps it with the new ones', () => {
    expect(texts(freshLines([line(null, 'old'), ...first, line(4, 'e'), line(null, 'new')], seen))).toEqual([
      'e',
      'new',
    ]);
  });
  it('remembers the newest moment over several arrivals', () => {
    const later = noteSeen(seen, [line(2, 'd')]);
    expect(later).toEqual({ at: 2, latest: ['web.1 b', 'web.1 c', 'web.1 d'] });
    expect(noteSeen(later, [line(5, 'e')])).toEqual({ at: 5, latest: ['web.1 e'] });
    expect(noteSeen(later, [line(null, 'x')])).toEqual(later);
  });
});
