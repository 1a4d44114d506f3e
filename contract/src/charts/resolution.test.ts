import { expect, it } from 'vitest';
import { chartRangePoints, chartSources, chartSpanSeconds } from './facts.ts';
import { sourceFor, stepFor } from './resolution.ts';

const now = Date.UTC(2026, 5, 15, 12);
const hour = 3_600_000;
const day = 24 * hour;

it.each([
  { range: 'an hour', ago: hour, source: 'single' },
  { range: 'two days', ago: 2 * day, source: 'single' },
  { range: 'a week', ago: 7 * day, source: 'hourly' },
  { range: '62 days', ago: 62 * day, source: 'hourly' },
  { range: '90 days', ago: 90 * day, source: 'daily' },
  { range: 'a year', ago: 366 * day, source: 'daily' },
  { range: 'three years', ago: 3 * 365 * day, source: 'monthly' },
] as const)('reads $range from the finest points that are kept: $source', ({ ago, source }) => {
  expect(sourceFor(now - ago, now)).toBe(source);
});

it('an hour of a time whose single points are gone has hours', () => {
  expect(sourceFor(now - 3 * day, now)).toBe('hourly');
});

it.each([
  { source: 'single', span: 2 * day, step: hour / 10 },
  { source: 'hourly', span: 30 * day, step: hour },
  { source: 'hourly', span: 62 * day, step: 2 * hour },
  { source: 'daily', span: 366 * day, step: day },
] as const)('$source points of $span ms have the narrowest step that fits', ({ source, span, step }) => {
  expect(stepFor(source, span)).toBe(step);
});

it('no range has more points than an answer takes', () => {
  for (const source of chartSources) {
    for (let span = chartSpanSeconds.least * 1000; span <= chartSpanSeconds.most * 1000; span *= 1.5) {
      const step = stepFor(source, span);
      // Single points are kept for two days.
      const most =
        source === 'single' ? Math.min(span, 2 * day) : source === 'hourly' ? Math.min(span, 62 * day) : span;
      expect(most / step + 1, `${source} ${span}`).toBeLessThanOrEqual(chartRangePoints);
    }
  }
});
