import { expect, test } from 'vitest';
import { staleAfterMs } from '../limits.ts';
import { isAppRunning } from './health.ts';

const now = 1_795_000_000_000;

test('an app runs while its last measurement is younger than five minutes', () => {
  expect(staleAfterMs).toBe(5 * 60_000);
  expect(isAppRunning(now - staleAfterMs + 1, false, now)).toBe(true);
  expect(isAppRunning(now - staleAfterMs, false, now)).toBe(false);
  expect(isAppRunning(null, false, now)).toBe(false);
});

test('a stopped app does not run, however fresh its stats', () => {
  expect(isAppRunning(now, true, now)).toBe(false);
});
