import { keptDays } from '../horizons.ts';
import { type ChartSource, chartRangePoints } from './facts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The steps to which single points are merged. Each holds at least two reports, so that none is empty by a report's delay. */
const singleSteps = [6 * minute, 10 * minute, 15 * minute, 30 * minute, hour];
const hourlySteps = [hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day];
const dailySteps = [day, 2 * day, 7 * day];

/** A month counts as 31 days, so that no month reads as a gap. */
export const monthMs = 31 * day;

/** The finest points that are still kept for the begin of a range. */
export function sourceFor(from: number, now: number): ChartSource {
  const age = now - from;
  if (age <= keptDays.raw * day) return 'single';
  if (age <= keptDays.hourly * day) return 'hourly';
  return age <= keptDays.daily * day ? 'daily' : 'monthly';
}

/**
 * The width of one point in milliseconds: the narrowest with which the range has no more points than an answer takes. `single`
 * here means single points that are too many, and are merged.
 */
export function stepFor(source: ChartSource, spanMs: number): number {
  const steps = { single: singleSteps, hourly: hourlySteps, daily: dailySteps, monthly: [monthMs] }[source];
  // A range that begins inside a step has one point more.
  return steps.find((step) => spanMs / step + 1 <= chartRangePoints) ?? steps.at(-1) ?? monthMs;
}
