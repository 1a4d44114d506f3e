import { expect, it } from 'vitest';
import { type ChartLine, lineOf, momentsOf, pointAt, runsOf, summaryOf, topOf } from './lines.ts';
import { serverMeasures } from './measures.ts';

const line = (values: (number | null)[], more: Partial<ChartLine> = {}): ChartLine => ({
  key: 'a',
  name: 'lantern',
  times: values.map((_, index) => 100 + index * 10),
  average: values,
  lowest: values.map((value) => value && value - 1),
  highest: values.map((value) => value && value + 5),
  stepMs: 10,
  ...more,
});

const series = {
  from: 0,
  to: 10,
  source: 'hourly' as const,
  stepMs: 10,
  times: [1, 2],
  average: [50, null],
  lowest: [10, null],
  highest: [100, null],
};

it('shows shares of the whole, and nothing where the whole is unknown', () => {
  const named = { key: 'a', name: 'lantern' };
  const totals = { cpu_cores: 4, ram_total: 200, swap_total: 0, disk_total: null };
  expect(lineOf(named, series, serverMeasures.ram, totals)).toMatchObject({
    average: [25, null],
    highest: [50, null],
  });
  expect(lineOf(named, series, serverMeasures.swap, totals)).toMatchObject({ average: [null, null] });
  expect(lineOf(named, series, serverMeasures.ram, null)).toMatchObject({ average: [null, null] });
  expect(lineOf(named, series, serverMeasures.cpu, null)).toMatchObject({
    average: [50, null],
    lowest: [10, null],
  });
});

it('a line breaks at an unknown value and at a gap', () => {
  expect(runsOf(line([1, 2, null, 3]))).toEqual([
    [0, 1],
    [3, 3],
  ]);
  expect(runsOf(line([1, 2, 3], { times: [100, 110, 126] }))).toEqual([
    [0, 1],
    [2, 2],
  ]);
  expect(runsOf(line([]))).toEqual([]);
});

it('finds the point of a moment, and none inside a gap', () => {
  const one = line([1, 2, 3], { times: [100, 110, 200] });
  expect([90, 104, 106, 140, 199, 900].map((at) => pointAt(one, at))).toEqual([0, 0, 1, -1, 2, -1]);
  expect(pointAt(line([]), 100)).toBe(-1);
});

it('sums a line up with the lowest and highest single value, or with those of its averages', () => {
  expect(summaryOf(line([2, null, 4]))).toEqual({ average: 3, lowest: 1, highest: 9 });
  const none = [null, null, null];
  expect(summaryOf(line([2, null, 4], { lowest: none, highest: none }))).toEqual({
    average: 3,
    lowest: 2,
    highest: 4,
  });
  expect(summaryOf(line([null]))).toEqual({ average: null, lowest: null, highest: null });
});

it('the scale reaches to the highest single value', () => {
  expect(topOf([line([97])], 'percent')).toBe(150);
  expect(topOf([line([1]), line([90])], 'plain')).toBe(100);
  expect(topOf([], 'plain')).toBe(1);
});

it('points of several lines in one step are one moment', () => {
  expect(momentsOf([line([1, 1]), line([1, 1, 1], { times: [103, 117, 121] })])).toEqual([100, 110, 121]);
});
