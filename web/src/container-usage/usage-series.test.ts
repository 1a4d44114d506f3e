import type { AppStatsPoint } from '@homeport/contract/stats/schema';
import { expect, it } from 'vitest';
import { usageData } from './usage-series.ts';

const gauges = { cpu_percent: 6, mem_usage: 700, mem_percent: 69 };
const point = (ts: number, changed: Partial<AppStatsPoint> = {}): AppStatsPoint => ({
  ts,
  rx_gap: 1,
  tx_gap: 1,
  seconds: 180,
  ...gauges,
  min: gauges,
  max: gauges,
  ...changed,
});
const series = {
  all: [point(1), point(2, { cpu_percent: null })],
  hourly: [point(3)],
  daily: [],
  monthly: [],
};

it('draws memory and CPU of the shown horizon, and no value where none is known', () => {
  const latest = usageData(series, 'all');
  expect(latest).toMatchObject({
    state: 'ready',
    times: [1, 2],
    series: [
      { key: 'memory', values: [69, 69] },
      { key: 'cpu', values: [6, null] },
    ],
  });
  expect(usageData(series, 'hourly')).toMatchObject({ times: [3] });
});

it('is empty before the first measurement', () => {
  expect(usageData(series, 'monthly')).toEqual({ state: 'empty' });
});
