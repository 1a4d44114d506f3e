import { expect, it } from 'vitest';
import { timeTicks } from './time-ticks.ts';

const hour = 3_600_000;
const at = new Date(2026, 10, 23, 14, 5).getTime();

it.each([
  { range: 'an hour', ms: hour },
  { range: 'a day', ms: 24 * hour },
  { range: 'a week', ms: 7 * 24 * hour },
  { range: '30 days', ms: 30 * 24 * hour },
  { range: '90 days', ms: 90 * 24 * hour },
  { range: 'a year', ms: 366 * 24 * hour },
])('$range has three to nine round moments inside it', ({ ms }) => {
  const ticks = timeTicks(at - ms, at);
  expect(ticks.length).toBeGreaterThanOrEqual(3);
  expect(ticks.length).toBeLessThanOrEqual(9);
  for (const tick of ticks) {
    expect(tick.at).toBeGreaterThanOrEqual(at - ms);
    expect(tick.at).toBeLessThanOrEqual(at);
    expect(new Date(tick.at).getMinutes() % 5).toBe(0);
  }
  expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
});
