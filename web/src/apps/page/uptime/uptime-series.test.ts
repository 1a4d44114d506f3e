import type { UptimePoint } from '@homeport/contract/uptime/schema';
import { describe, expect, it } from 'vitest';
import { requestTimes, totalAt } from './uptime-series.ts';

const phases = {
  dnsLookup: 9,
  tcpConnection: 16,
  tlsHandshake: 31,
  firstByte: 118,
  contentTransfer: 17,
  total: 191,
};
const unreached = {
  dnsLookup: null,
  tcpConnection: null,
  tlsHandshake: null,
  firstByte: null,
  contentTransfer: null,
  total: null,
};
const point = (ts: number, own: Partial<typeof phases | typeof unreached> = {}): UptimePoint => ({
  ts,
  up: 1,
  down: 0,
  ...phases,
  ...own,
  min: phases,
  max: phases,
});
const series = (all: UptimePoint[]) => ({ all, hourly: [], daily: [], monthly: [] });

describe('the request times of an app', () => {
  it('are stacked in the order of the phases', () => {
    const data = requestTimes(series([point(1000), point(61_000)]), 'all');
    expect(data).toMatchObject({ state: 'ready', times: [1000, 61_000] });
    if (data.state !== 'ready') return;
    expect(data.series.map(({ label }) => label)).toEqual(['DNS', 'TCP', 'TLS', 'First byte', 'Transfer']);
    expect(data.series.map(({ values }) => values[0])).toEqual([9, 16, 31, 118, 17]);
  });

  it('have no TLS when no check used https', () => {
    const data = requestTimes(series([point(1000, { tlsHandshake: null })]), 'all');
    expect(data.state === 'ready' && data.series.map(({ key }) => key)).not.toContain('tlsHandshake');
  });

  it('leave a gap where a check failed', () => {
    const data = requestTimes(series([point(1000), point(61_000, unreached)]), 'all');
    expect(data.state === 'ready' && data.series[0]?.values).toEqual([9, null]);
  });

  it('are empty while no check has succeeded', () => {
    expect(requestTimes(series([point(1000, unreached)]), 'all')).toEqual({ state: 'empty' });
  });

  it('are empty on a horizon that has no points yet', () => {
    expect(requestTimes(series([point(1000)]), 'monthly')).toEqual({ state: 'empty' });
  });
});

describe('the total beside the title', () => {
  const timeseries = series([point(1000, { total: 80 }), point(61_000)]);

  it('is the newest total while nobody points at another', () => {
    expect(totalAt(timeseries, 'all', null)).toBe(191);
  });

  it('is the total of the point at the crosshair', () => {
    expect(totalAt(timeseries, 'all', 2000)).toBe(80);
  });

  it('is missing when no check succeeded', () => {
    expect(totalAt(series([point(1000, unreached)]), 'all', null)).toBeNull();
    expect(totalAt(series([]), 'all', null)).toBeNull();
  });
});
