import type { StatsPoint } from '@homeport/contract/stats/schema';
import { expect, test } from 'vitest';
import { chartData, share } from './chart-series.ts';

const gauges = {
  load_avg: 1,
  load_cpu: 30,
  load_io: 2,
  ram_usage: 50,
  swap_usage: 0,
  disk_usage: 83,
  ping_us: 96,
  ping_eu: 18,
  ping_as: null,
};
const point = (ts: number, more: Partial<StatsPoint> = {}): StatsPoint => ({
  ts,
  rx_gap: 1_800,
  tx_gap: null,
  seconds: 180,
  ...gauges,
  min: gauges,
  max: gauges,
  ...more,
});
const stats = {
  cpu_cores: 4,
  ram_total: 200,
  swap_total: 0,
  disk_total: 100,
  timeseries: { all: [point(1), point(2, { seconds: 90 })], hourly: [point(3)], daily: [], monthly: [] },
};
const valuesOf = (data: ReturnType<typeof chartData>) =>
  data.state === 'ready' ? data.series.map((series) => series.values) : data.state;

test('network is bytes per second over the time of each report, and unknown when a counter is unknown', () => {
  expect(valuesOf(chartData('network', 'all', stats))).toEqual([
    [10, 20],
    [null, null],
  ]);
});

test('load, memory and disk are percentages of the server’s own', () => {
  expect(valuesOf(chartData('cpu', 'all', stats))).toEqual([
    [25, 25],
    [30, 30],
    [2, 2],
  ]);
  expect(valuesOf(chartData('disk', 'all', stats))).toEqual([[83, 83]]);
});

test('a server without swap has no share of it, rather than 0 percent', () => {
  expect(valuesOf(chartData('memory', 'all', stats))).toEqual([
    [25, 25],
    [null, null],
  ]);
  expect(share(0, 100)).toBe(0);
});

test('each horizon has its own points, and one without any is empty', () => {
  const hourly = chartData('latency', 'hourly', stats);
  expect(hourly.state === 'ready' && hourly.times).toEqual([3]);
  expect(chartData('latency', 'daily', stats)).toEqual({ state: 'empty' });
});
