import { describe, expect, test } from 'vitest';
import { clockAt, nextRuns } from '../../backups/cron.ts';
import { readTaskSchedule } from './schedule.ts';

function next(text: string, after: string, zone = 'UTC', count = 2): string[] {
  const read = readTaskSchedule(text);
  if (read.kind !== 'times') throw new Error(read.kind);
  return nextRuns(read.cron, zone, Date.parse(after), count).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );
}

describe('a schedule of app.json', () => {
  test.each([
    ['* * * * *', ['2026-11-22T19:56', '2026-11-22T19:57']],
    ['*/5 * * * *', ['2026-11-22T20:00', '2026-11-22T20:05']],
    ['0 3 * * *', ['2026-11-23T03:00', '2026-11-24T03:00']],
    ['@daily', ['2026-11-23T00:00', '2026-11-24T00:00']],
    ['@midnight', ['2026-11-23T00:00', '2026-11-24T00:00']],
    ['@hourly', ['2026-11-22T20:00', '2026-11-22T21:00']],
    ['@weekly', ['2026-11-29T00:00', '2026-12-06T00:00']],
    ['@monthly', ['2026-12-01T00:00', '2027-01-01T00:00']],
    ['@yearly', ['2027-01-01T00:00', '2028-01-01T00:00']],
    ['0 9 * * MON-Fri', ['2026-11-23T09:00', '2026-11-24T09:00']],
    ['0 9 1 jan,JUL *', ['2027-01-01T09:00', '2027-07-01T09:00']],
  ])('%s runs when crontab(5) says', (text, expected) => {
    expect(next(text, '2026-11-22T19:55:30Z')).toEqual(expected);
  });

  test('a day that never comes has no next run', () => {
    expect(next('0 3 30 2 *', '2026-11-22T19:55:00Z')).toEqual([]);
  });

  test.each([
    ['@every 5m', 'interval'],
    ['@EVERY 1h30m', 'interval'],
    ['CRON_TZ=Asia/Tokyo 0 3 * * *', 'zone'],
    ['TZ=Asia/Tokyo @daily', 'zone'],
    ['0 3 ? * *', 'any'],
    ['', 'unread'],
    ['@reboot', 'unread'],
    ['0 3 * *', 'unread'],
    ['0 3 * * * *', 'unread'],
    ['61 3 * * *', 'unread'],
    ['0 3 * * monday', 'unread'],
    ['0 $(id) * * *', 'unread'],
    [`0 3 * * ${'1,'.repeat(200)}1`, 'unread'],
  ])('%s is told apart', (text, kind) => {
    expect(readTaskSchedule(text).kind).toBe(kind);
  });
});

test('the clock of a zone is told for a name and for an offset', () => {
  const at = Date.parse('2026-07-01T10:00:00Z');
  expect(new Date(clockAt('Europe/Berlin', at)).toISOString()).toBe('2026-07-01T12:00:00.000Z');
  expect(new Date(clockAt('-03:30', at)).toISOString()).toBe('2026-07-01T06:30:00.000Z');
});
