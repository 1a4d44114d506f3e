import { describe, expect, it } from 'vitest';
import {
  formatAddress,
  formatAgo,
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatElapsed,
  formatLatency,
  formatLoad,
  formatMoney,
  formatPercent,
  formatRate,
  formatWhen,
  formatWhenAndAge,
} from './format.ts';

const gb = 'en-GB';
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('a value that is missing', () => {
  it('reads "no data", never 0 or NaN', () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatPercent(value)).toBe('no data');
      expect(formatBytes(value)).toBe('no data');
      expect(formatRate(value)).toBe('no data');
      expect(formatLoad(value)).toBe('no data');
      expect(formatDate(value)).toBe('no data');
      expect(formatDuration(value)).toBe('no data');
    }
  });
});

describe('numbers', () => {
  it('writes percentages whole with a narrow space, with one decimal on request', () => {
    expect(formatPercent(82.96, 0, gb)).toBe('83\u202f%');
    expect(formatPercent(82.96, 1, gb)).toBe('83.0\u202f%');
  });
  it('writes loads with two decimals and counts grouped', () => {
    expect(formatLoad(0.8, gb)).toBe('0.80');
    expect(formatCount(3264, gb)).toBe('3,264');
  });
  it('writes bytes in steps of 1024, one decimal under 100', () => {
    expect(formatBytes(0, gb)).toBe('0 B');
    expect(formatBytes(66.4 * 1024 ** 3, gb)).toBe('66.4 GB');
    expect(formatBytes(310 * 1024, gb)).toBe('310 kB');
    expect(formatBytes(8 * 1024 ** 3, gb)).toBe('8 GB');
    expect(formatBytes(1023.9 * 1024, gb)).toBe('1 MB');
    expect(formatBytes(3 * 1024 ** 5, gb)).toBe('3,072 TB');
  });
  it('writes rates per second', () => {
    expect(formatRate(1.8 * 1024 ** 2, gb)).toBe('1.8 MB/s');
  });
  it('writes money with cents only if there are any', () => {
    expect([0, 450, 900].map(formatMoney)).toEqual(['Free', '$4.50', '$9']);
  });
});

describe('latencies', () => {
  it('are whole milliseconds, and never none', () => {
    expect(formatLatency(18.4, gb)).toBe('18 ms');
    expect(formatLatency(1, gb)).toBe('1 ms');
    expect(formatLatency(0.6, gb)).toBe('<1 ms');
    expect(formatLatency(0, gb)).toBe('<1 ms');
  });
});

describe('times', () => {
  const at = new Date(2026, 2, 12, 9, 41).getTime();
  it('writes dates, with the time where it matters', () => {
    expect(formatDate(at, gb)).toBe('12 Mar 2026');
    expect(formatDateTime(at, gb)).toBe('12 Mar 2026 at 09:41');
  });
  it('writes the age up to a day, and then the date', () => {
    expect(formatAgo(at, at + 2 * second, gb)).toBe('just now');
    expect(formatAgo(at, at + 14 * second, gb)).toBe('14 s ago');
    expect(formatAgo(at, at + 13 * minute, gb)).toBe('13 min ago');
    expect(formatAgo(at, at + 5 * hour, gb)).toBe('5 h ago');
    expect(formatAgo(at, at + 24 * hour, gb)).toBe('12 Mar 2026 at 09:41');
  });
  it('names the day of a time that is not today’s, however short its age is', () => {
    const evening = new Date(2026, 2, 11, 18, 10).getTime();
    expect(formatWhen(at, at + 5 * hour, gb)).toBe('09:41');
    expect(formatWhen(evening, at, gb)).toBe('yesterday at 18:10');
    expect(formatWhen(evening, new Date(2026, 2, 12).getTime(), gb)).toBe('yesterday at 18:10');
    expect(formatWhen(evening, new Date(2026, 2, 13).getTime(), gb)).toBe('11 Mar 2026 at 18:10');
    expect(formatWhen(new Date(2026, 2, 13).getTime(), at, gb)).toBe('tomorrow at 00:00');
  });
  it('counts a day of 23 and of 25 hours as one day', () => {
    const noon = (month: number, day: number) => new Date(2026, month, day, 12).getTime();
    for (const [month, day] of [
      [2, 29],
      [9, 25],
    ] as const)
      expect(formatWhen(noon(month, day - 1), noon(month, day), gb)).toBe('yesterday at 12:00');
  });
  it('adds the age within a day', () => {
    expect(formatWhenAndAge(at, at + 13 * minute, gb)).toBe('09:41, 13 min ago');
    expect(formatWhenAndAge(at, at + 23 * hour, gb)).toBe('yesterday at 09:41, 23 h ago');
    expect(formatWhenAndAge(at, at + 30 * hour, gb)).toBe('yesterday at 09:41');
  });
  it('writes "just now" when the clock is behind', () => {
    expect(formatAgo(at, at - minute, gb)).toBe('just now');
  });
  it('writes durations in their two largest units', () => {
    expect(formatDuration(41 * 24 * hour + 5 * hour)).toBe('41 days');
    expect(formatDuration(2 * minute + 14 * second)).toBe('2 min 14 s');
    expect(formatDuration(hour)).toBe('1 h');
    expect(formatElapsed(74 * second)).toBe('1:14');
  });
});

it('writes an IPv6 address in its short form, and any other text unchanged', () => {
  expect(formatAddress('fd00:0000:0000:0000:0000:0000:0000:0002')).toBe('fd00::2');
  expect(formatAddress('2001:0db8:0000:0000:0001:0000:0000:0001')).toBe('2001:db8::1:0:0:1');
  expect(formatAddress('203.0.113.7')).toBe('203.0.113.7');
  expect(formatAddress('N/A')).toBe('N/A');
});
