import { expect, test } from 'vitest';
import { staleAfterMs } from '../limits.ts';
import type { StatsPoint } from '../stats/schema.ts';
import { healthNotices, serverStatus, serverStatuses, serverStatusText } from './health.ts';

const minute = 60_000;
const now = 100 * minute;
const stats = {
  status: 'active' as const,
  update_time: now,
  load_percent: 10,
  ram_percent: 10,
  disk_percent: 10,
  cpu_cores: 4,
  ram_total: 100,
  disk_total: 100,
};
const gauges = {
  load_avg: 0,
  load_cpu: 0,
  load_io: 0,
  ram_usage: 10,
  swap_usage: 0,
  disk_usage: 10,
  ping_us: null,
  ping_eu: null,
  ping_as: null,
};
const point = (ts: number, more: Partial<StatsPoint> = {}): StatsPoint => ({
  ts,
  rx_gap: 0,
  tx_gap: 0,
  seconds: 180,
  ...gauges,
  min: gauges,
  max: gauges,
  ...more,
});

test('a server is online while its data is under five minutes old, and has no data without stats', () => {
  expect(serverStatus(stats, now + 5 * minute - 1)).toBe('online');
  expect(serverStatus(stats, now + 5 * minute)).toBe('offline');
  expect(serverStatus(null, now)).toBe('no-data');
});

/** Every kind of value that the store can hold, and each side of the bound. */
const held = {
  update_time: [now, now - staleAfterMs + 1, now - staleAfterMs, now - 60 * minute, now + minute],
  stats: [null, undefined],
};

test('the status of a server, over all that the store can hold, is one of three with words of their own', () => {
  const reported = held.update_time.map((update_time) => ({ status: 'active' as const, update_time }));
  const seen = [...reported, ...held.stats].map((of) => serverStatusText(serverStatus(of, now)));
  expect(seen).toEqual([
    ...['Online', 'Online', 'Offline', 'Offline', 'Online'],
    ...['No data found', 'No data found'],
  ]);
  expect(new Set(seen)).toEqual(new Set(serverStatuses.map(serverStatusText)));
});

test('a healthy server has no notices', () => {
  expect(healthNotices(stats, [point(now - 3 * minute), point(now)], now)).toEqual([]);
});

test('an offline server has a notice with its last report', () => {
  expect(healthNotices(stats, [], now + 6 * minute)).toEqual([
    { kind: 'offline', band: 'danger', since: now },
  ]);
});

test('a crossed threshold has a notice with its time, the worst first', () => {
  const points = [
    point(now - 6 * minute, { ram_usage: 95, disk_usage: 50 }),
    point(now - 3 * minute, { ram_usage: 95, disk_usage: 85 }),
    point(now, { ram_usage: 95, disk_usage: 85 }),
  ];
  expect(healthNotices({ ...stats, ram_percent: 95, disk_percent: 85 }, points, now)).toEqual([
    { kind: 'usage', band: 'danger', of: 'ram', percent: 95, since: null },
    { kind: 'usage', band: 'warning', of: 'disk', percent: 85, since: now - 3 * minute },
  ]);
});

test('missing time between two reports is a gap, and a late report is no gap', () => {
  const points = [point(now - 20 * minute), point(now - 4 * minute), point(now)];
  expect(healthNotices(stats, points, now)).toEqual([
    { kind: 'gap', band: 'info', from: now - 20 * minute, to: now - 4 * minute },
  ]);
});
