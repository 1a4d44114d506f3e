import { expect, it } from 'vitest';
import { hoursOfDay } from './schedule-texts.ts';

const now = Date.UTC(2026, 10, 26, 12);

it('offers each hour of the browser’s day once', () => {
  const hours = hoursOfDay(now, null);
  expect(new Set(hours.map(({ dailyAt }) => dailyAt)).size).toBe(24);
  expect(new Set(hours.map(({ text }) => text)).size).toBe(24);
  for (const { dailyAt } of hours) {
    const { hours: hour, minutes } = here(dailyAt);
    expect(minutes).toBe(0);
    expect(hours[hour]?.dailyAt).toBe(dailyAt);
  }
});

it('keeps a moment that is no whole hour', () => {
  const [hour] = hoursOfDay(now, null);
  const odd = ((hour?.dailyAt ?? 0) + 17) % 1_440;
  expect(hoursOfDay(now, odd)[0]?.dailyAt).toBe(odd);
});

function here(dailyAt: number) {
  const at = new Date(Date.UTC(2026, 10, 26) + dailyAt * 60_000);
  return { hours: at.getHours(), minutes: at.getMinutes() };
}
