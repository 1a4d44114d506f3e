import { readTaskSchedule } from '@homeport/contract/apps/cron/schedule';
import { afterEach, expect, test, vi } from 'vitest';
import { nextRun, onServerClock, rhythmText, scheduleWarnings } from './schedule-text.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['* * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['0,30 * * * *', 'Every 30 minutes'],
  ['5,35 * * * *', null],
  ['5 * * * *', 'Every hour at minute 5'],
  ['@hourly', 'Every hour at minute 0'],
  ['0 3 * * *', 'Every day at 03:00'],
  ['@daily', 'Every day at 00:00'],
  ['15 9 * * 1', 'Every Monday at 09:15'],
  ['15 9 * * 1-5', 'Monday to Friday at 09:15'],
  ['15 9 1 * *', 'On day 1 of each month at 09:15'],
  ['15 9 * 1 *', null],
  ['15 9,18 * * *', null],
  ['15 9 1 * 1', null],
  ['*/5 9 * * *', null],
  ['5 * * * 1', null],
])('%s is said as %s', (text, words) => {
  const schedule = readTaskSchedule(text);
  expect(schedule.kind === 'times' && rhythmText(schedule.cron)).toBe(words);
});

test('the next run is one by the server’s clock, and unknown without that', () => {
  const now = Date.parse('2026-07-01T10:00:00Z');
  const daily = readTaskSchedule('0 3 * * *');
  expect(nextRun(daily, 'Europe/Berlin', now)).toBe(Date.parse('2026-07-02T01:00:00Z'));
  expect(nextRun(daily, null, now)).toBeNull();
  expect(nextRun(readTaskSchedule('@every 5m'), 'UTC', now)).toBeNull();
  expect(nextRun(readTaskSchedule('0 3 30 2 *'), 'UTC', now)).toBeNull();
});

test('the server’s time stands beside the reader’s only where the two differ', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const at = Date.parse('2026-07-02T01:00:00Z');
  expect(onServerClock('Europe/Berlin', at)).toBeNull();
  expect(onServerClock('+02:00', at)).toBeNull();
  expect(onServerClock('UTC', at)).toBe('01:00');
  expect(onServerClock('Asia/Kolkata', at)).toBe('06:30');
});

test('a schedule that cron does not know has a warning', () => {
  const warned = ['@every 5m', '0 3 ? * *', 'CRON_TZ=UTC 0 3 * * *', '0 3 * * *', '@reboot'].filter(
    (text) => scheduleWarnings[readTaskSchedule(text).kind] !== null,
  );
  expect(warned).toEqual(['@every 5m', '0 3 ? * *', 'CRON_TZ=UTC 0 3 * * *']);
});
