import { expect, it } from 'vitest';
import { drawn, type Line, pointsOf } from './chart-data.ts';

const point = (ts: number, height: number | null = ts) => ({ ts, height });
const series = { all: [point(1), point(2, null)], hourly: [point(3)], daily: [point(4)], monthly: [] };
const tide: Line<ReturnType<typeof point>> = {
  key: 'tide',
  label: 'Tide',
  colour: 1,
  area: true,
  value: ({ height }) => height,
};

it('shows the points of each horizon', () => {
  expect(pointsOf(series, 'all')).toBe(series.all);
  expect(pointsOf(series, 'hourly')).toBe(series.hourly);
  expect(pointsOf(series, 'daily')).toBe(series.daily);
  expect(pointsOf(series, 'monthly')).toBe(series.monthly);
});

it('draws a value for each point, and none where the point has none', () => {
  expect(drawn(series.all, [tide])).toEqual({
    state: 'ready',
    times: [1, 2],
    series: [{ key: 'tide', label: 'Tide', colour: 1, area: true, values: [1, null] }],
  });
});

it('is empty without points and without lines', () => {
  expect(drawn([], [tide])).toEqual({ state: 'empty' });
  expect(drawn(series.all, [])).toEqual({ state: 'empty' });
});
