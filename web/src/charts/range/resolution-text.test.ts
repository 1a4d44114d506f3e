import { expect, it } from 'vitest';
import { resolutionText } from './resolution-text.ts';

const hour = 3_600_000;

it('says what a point is, and why a short range of long ago has no finer ones', () => {
  expect(resolutionText({ from: 0, to: hour, source: 'single', stepMs: 180_000 }, 'report')).toBe(
    'one point is one report',
  );
  expect(resolutionText({ from: 0, to: 1_000 * hour, source: 'hourly', stepMs: 2 * hour }, 'report')).toBe(
    'one point is 2 h: the average, with the lowest and highest around it',
  );
  expect(resolutionText({ from: 0, to: 24 * hour, source: 'hourly', stepMs: hour }, 'check')).toContain(
    'Single checks are kept for 2 days',
  );
});
