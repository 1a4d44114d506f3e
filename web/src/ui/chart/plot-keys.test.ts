import { describe, expect, it } from 'vitest';
import { pointAfterKey, sayPoint } from './plot-keys.ts';
import { tickLabel } from './series.ts';

describe('the crosshair of a chart', () => {
  it('begins at the newest point', () => {
    expect(pointAfterKey('ArrowLeft', -1, 19, 5)).toBe(18);
    expect(pointAfterKey('ArrowRight', -1, 19, 5)).toBe(19);
  });

  it('moves by one point, by a page and to the ends', () => {
    const moves = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
    expect(moves.map((key) => pointAfterKey(key, 10, 19, 5))).toEqual([9, 11, 15, 5, 0, 19]);
  });

  it('stays within the points', () => {
    expect(pointAfterKey('ArrowLeft', 0, 19, 5)).toBe(0);
    expect(pointAfterKey('PageUp', 17, 19, 5)).toBe(19);
  });

  it('stays where it is with any other key', () => expect(pointAfterKey('x', 3, 19, 5)).toBeNull());

  it('says the figure of each series at its point', () => {
    const times = [0, 60_000];
    const data = {
      times,
      values: [
        [1, 2],
        [3, null],
      ],
      gaps: [],
    };
    const series = [{ label: 'In' }, { label: 'Out' }];
    const said = sayPoint(data, 1, series, 'all', (value) => `${value} kB`);
    expect(said).toBe(`${tickLabel(60_000, 'all')}: In 2 kB, Out no data`);
  });
});
