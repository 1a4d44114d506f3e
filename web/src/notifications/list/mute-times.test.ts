import { notificationRules } from '@homeport/contract/notifications/kinds';
import { expect, it } from 'vitest';
import { minutesUntilMorning, muteTimes } from './mute-times.ts';

it('counts the minutes until tomorrow morning by the clock of the browser', () => {
  expect(minutesUntilMorning(new Date(2026, 10, 22, 23, 30))).toBe(8 * 60 + 30);
  expect(minutesUntilMorning(new Date(2026, 10, 22, 0, 0))).toBe(32 * 60);
  expect(minutesUntilMorning(new Date(2026, 11, 31, 23, 59, 50))).toBe(8 * 60);
});

it('asks for no longer than the console takes, on each day of a year', () => {
  for (let day = 1; day <= 366; day += 1)
    for (const { minutes } of muteTimes)
      expect(minutes(new Date(2026, 0, day))).toBeLessThanOrEqual(notificationRules.muteMinutes);
});
