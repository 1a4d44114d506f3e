import { describe, expect, test } from 'vitest';
import { type Cron, nextRuns, readCron } from './cron.ts';

function cron(text: string): Cron {
  const read = readCron(text);
  if (read.kind === 'wrong') throw new Error(read.message);
  return read.cron;
}
const next = (text: string, after: string, zone = 'UTC', count = 3) =>
  nextRuns(cron(text), zone, Date.parse(after), count).map((at) => new Date(at).toISOString().slice(0, 16));

describe('a cron expression', () => {
  test.each([
    ['17 3 * * *', ['2026-11-23T03:17', '2026-11-24T03:17', '2026-11-25T03:17']],
    ['5 * * * *', ['2026-11-22T20:05', '2026-11-22T21:05', '2026-11-22T22:05']],
    ['*/15 4 * * *', ['2026-11-23T04:00', '2026-11-23T04:15', '2026-11-23T04:30']],
    ['0 6 * * 1-5', ['2026-11-23T06:00', '2026-11-24T06:00', '2026-11-25T06:00']],
    ['0 6 * * 7', ['2026-11-29T06:00', '2026-12-06T06:00', '2026-12-13T06:00']],
    ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['30 4 1 * 5', ['2026-11-27T04:30', '2026-12-01T04:30', '2026-12-04T04:30']],
    ['0 12 1,15 */6 *', ['2027-01-01T12:00', '2027-01-15T12:00', '2027-07-01T12:00']],
  ])('%s runs when crontab(5) says', (text, expected) => {
    expect(next(text, '2026-11-22T19:55:00Z', 'UTC', expected.length)).toEqual(expected);
  });

  test('counts by the clock of its zone, through both changes of the clock', () => {
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ]);
    expect(next('30 2 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin')[0]).toMatch(/2026-10-25T0[01]:30/);
    expect(next('0 3 * * *', '2026-11-22T19:55:00Z', '-05:00')[0]).toBe('2026-11-23T08:00');
    expect(next('0 3 * * *', '2026-11-22T19:55:00Z', 'Not/AZone')[0]).toBe('2026-11-23T03:00');
  });

  test.each([
    ['', 'five fields'],
    ['* * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['60 3 * * *', 'minute'],
    ['0 24 * * *', 'hour'],
    ['0 3 0 * *', 'day of the month'],
    ['0 3 * 13 *', 'month'],
    ['0 3 * * 8', 'day of the week'],
    ['0 3 * * MON', 'day of the week'],
    ['0 5-3 * * *', 'hour'],
    ['0 3/0 * * *', 'hour'],
    ['0 1-2-3 * * *', 'hour'],
    ['0 3 * * *;reboot', 'day of the week'],
    ['0 $(id) * * *', 'hour'],
    ['* * * * *', '15 minutes'],
    ['0,50 * * * *', '15 minutes'],
    ['0 3 30 2 *', 'no such day'],
    ['1'.repeat(101), 'at most 100 characters'],
  ])('%j is refused with the reason', (text, part) => {
    expect(readCron(text)).toMatchObject({ kind: 'wrong', message: expect.stringContaining(part) });
  });
});
