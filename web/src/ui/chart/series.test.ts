import { describe, expect, it } from 'vitest';
import { describeChart } from './describe.ts';
import {
  extent,
  highest,
  lonely,
  nearest,
  niceTop,
  percentTicks,
  percentTop,
  stacked,
  tickIndexes,
  withGaps,
} from './series.ts';

const interval = 180_000;

describe('gaps', () => {
  it('draw no break between points up to one and a half intervals apart', () => {
    const times = [0, interval, interval * 2.5];
    expect(withGaps(times, [[1, 2, 3]], interval)).toEqual({ times, values: [[1, 2, 3]], gaps: [] });
  });
  it('puts empty points where reports are missing, in every series', () => {
    const result = withGaps(
      [0, interval, 4 * interval],
      [
        [1, 2, 3],
        [4, null, 6],
      ],
      interval,
    );
    expect(result.times).toEqual([0, interval, 2 * interval, 3 * interval, 4 * interval]);
    expect(result.values).toEqual([
      [1, 2, null, null, 3],
      [4, null, null, null, 6],
    ]);
    expect(result.gaps).toEqual([{ from: interval, to: 4 * interval }]);
  });
  it('breaks the line with one empty point where not even one report is missing', () => {
    const result = withGaps([0, 1.6 * interval], [[1, 2]], interval);
    expect(result.values).toEqual([[1, null, 2]]);
    expect(result.gaps).toHaveLength(1);
  });
  it('does not fill a long silence with thousands of points', () => {
    expect(withGaps([0, 100_000 * interval], [[1, 2]], interval).times).toHaveLength(62);
  });
  it('takes a chart without points', () => {
    expect(withGaps([], [[]], interval)).toEqual({ times: [], values: [[]], gaps: [] });
  });
});

describe('the named values of a percent chart', () => {
  it('are 50 % and the top while both have room', () => {
    expect(percentTicks(100)).toEqual([0, 50, 100]);
    expect(percentTicks(300)).toEqual([0, 50, 300]);
  });
  it('stand far apart on a machine of many cores', () => {
    for (const top of [350, 850, 6_400]) expect(percentTicks(top)).toEqual([0, top / 2, top]);
  });
});

describe('stacked series', () => {
  it('stand on the series before them, and a missing value adds nothing', () => {
    expect(
      stacked([
        [1, 2, null],
        [3, null, null],
      ]),
    ).toEqual([
      [1, 2, null],
      [4, 2, null],
    ]);
  });
});

describe('the scale', () => {
  it('of percentages reaches to 100, above that to the next 50', () => {
    expect([0, 40, 100, 101, 187, 250].map(percentTop)).toEqual([100, 100, 100, 150, 200, 250]);
  });
  it('of other values is a rounded figure at or above the highest', () => {
    expect([0, 0.9, 3, 17, 182, 212].map((top) => niceTop(top))).toEqual([1, 1, 4, 20, 200, 400]);
  });
  it('of bytes is rounded in steps of 1024', () => {
    expect(niceTop(1.66 * 1024 ** 2, 1024)).toBe(2 * 1024 ** 2);
    expect(niceTop(1010 * 1024, 1024)).toBe(1024 ** 2);
  });
  it('ignores missing values', () => {
    expect(
      highest([
        [null, 3],
        [7, null],
      ]),
    ).toBe(7);
  });
});

describe('a point by itself', () => {
  it('stands in the middle of the chart', () => {
    expect(extent([500])).toEqual({ from: 499, to: 501 });
    expect(extent([500, 700, 800])).toEqual({ from: 500, to: 800 });
    expect(extent([])).toEqual({ from: -1, to: 1 });
  });
  it('is a point without a neighbour to draw a line to', () => {
    expect(lonely([3])).toEqual([0]);
    expect(lonely([1, 2, null, 4, null, null, 0])).toEqual([3, 6]);
    expect(lonely([null, undefined])).toEqual([]);
  });
});

describe('the time axis', () => {
  it('names the first and the last point and some between', () => {
    expect(tickIndexes(20)).toEqual([0, 5, 10, 14, 19]);
    expect(tickIndexes(3)).toEqual([0, 1, 2]);
    expect(tickIndexes(0)).toEqual([]);
  });
  it('finds the point nearest to the pointer', () => {
    expect(nearest([0, 10, 20], 14)).toBe(1);
    expect(nearest([], 14)).toBe(-1);
  });
});

describe('the sentence for screen readers', () => {
  it('says title, horizon, newest, lowest, highest and gaps', () => {
    const text = describeChart({
      title: 'CPU Load',
      horizon: 'all',
      gaps: [{ from: 0, to: 1 }],
      format: (value) => `${value} %`,
      series: [
        { label: 'Load average', values: [20, 30, null, 24] },
        { label: 'I/O wait', values: [null, null] },
      ],
    });
    expect(text).toBe(
      'CPU Load, Latest. Load average: newest 24 %, lowest 20 %, highest 30 %. I/O wait: no data. 1 gap without data.',
    );
  });
});
