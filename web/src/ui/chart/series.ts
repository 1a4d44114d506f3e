import { type Horizon, horizons } from '@homeport/contract/horizons';
import { serverStatsEveryMs } from '@homeport/contract/limits';
import { pageLocale } from '../text/locale.ts';

/** The calculations of a chart: the breaks of a line, the top of the scale and the labels of the axes. */

const labels: Record<Horizon, string> = {
  all: 'Latest',
  hourly: 'Hourly',
  daily: 'Daily',
  monthly: 'Monthly',
};
export const horizonChoices = horizons.map((value) => ({ value, label: labels[value] }));

const minute = 60_000;
/** The distance of two neighbouring points. A month counts as 31 days, so that no month reads as a gap. */
export const intervalMs: Record<Horizon, number> = {
  all: serverStatsEveryMs,
  hourly: 60 * minute,
  daily: 24 * 60 * minute,
  monthly: 31 * 24 * 60 * minute,
};

export type Value = number | null;

export interface Gap {
  from: number;
  to: number;
}

export interface Gapped {
  times: number[];
  values: Value[][];
  gaps: Gap[];
}

/** Points that are further apart than so many intervals have a gap between them. */
export const gapFactor = 1.5;
const slotsAtMost = 60;

/**
 * Adds empty points where reports are missing, so that lines break and the crosshair can stand in the gap.
 * Points more than 1.5 intervals apart have a gap between them. `times` is ascending.
 */
export function withGaps(
  times: readonly number[],
  values: readonly (readonly Value[])[],
  interval: number,
): Gapped {
  const result: Gapped = { times: [], values: values.map(() => []), gaps: [] };
  times.forEach((time, index) => {
    const before = times[index - 1];
    if (before !== undefined && time - before > gapFactor * interval) {
      const slots = Math.min(slotsAtMost, Math.max(1, Math.round((time - before) / interval) - 1));
      for (let slot = 1; slot <= slots; slot += 1) {
        result.times.push(before + (slot * (time - before)) / (slots + 1));
        for (const series of result.values) series.push(null);
      }
      result.gaps.push({ from: before, to: time });
    }
    result.times.push(time);
    for (const [which, series] of values.entries()) result.values[which]?.push(series[index] ?? null);
  });
  return result;
}

/** Stacks each series on the earlier ones. A point is empty only if it and all points below it are empty. */
export function stacked(values: readonly (readonly Value[])[]): Value[][] {
  const length = values[0]?.length ?? 0;
  const sums: Value[] = Array.from({ length }, () => null);
  return values.map((series) =>
    series.map((value, index) => {
      const below = sums[index] ?? null;
      const sum = value === null ? below : (below ?? 0) + value;
      sums[index] = sum;
      return sum;
    }),
  );
}

export const highest = (values: readonly (readonly Value[])[]): number =>
  values.flat().reduce<number>((top, value) => Math.max(top, value ?? 0), 0);

/** The top of a percent chart: 100, or the next multiple of 50 above the highest value. */
export function percentTop(top: number): number {
  return top <= 100 ? 100 : Math.ceil(top / 50) * 50;
}

/** Above this top, the label at 50 % would stand on the one at zero: half of the top is named in its place. */
const halfNamedAbove = 300;

/** The named values of a percent chart, from the bottom to the top. */
export const percentTicks = (top: number): number[] => [0, top > halfNamedAbove ? top / 2 : 50, top];

const nice = [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 500, 1000];

/** A round maximum. Half of it is a round number too. `base` is 1024 for bytes. */
export function niceTop(top: number, base: 1000 | 1024 = 1000): number {
  if (top <= 0) return 1;
  const unit = base ** Math.floor(Math.log(top) / Math.log(base));
  const share = top / unit;
  return (nice.find((step) => step >= share) ?? base) * unit;
}

/** The time range of a chart. A single point stands in the middle. */
export function extent(times: readonly number[]): { from: number; to: number } {
  const [from = 0] = times;
  const to = times.at(-1) ?? from;
  return from === to ? { from: from - 1, to: to + 1 } : { from, to };
}

/** The indexes of values without a neighbour. No line reaches these values. */
export function lonely(values: readonly (Value | undefined)[]): number[] {
  const isThere = (index: number) => typeof values[index] === 'number';
  return [...values.keys()].filter((index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1));
}

/** The index of the point nearest to a time. -1 without points. */
export function nearest(times: readonly number[], time: number): number {
  let best = -1;
  times.forEach((candidate, index) => {
    const rival = times[best];
    if (rival === undefined || Math.abs(candidate - time) < Math.abs(rival - time)) best = index;
  });
  return best;
}

/** The indexes of about five points for labels on the time axis, including the first and the last. */
export function tickIndexes(count: number, wanted = 5): number[] {
  if (count <= wanted) return Array.from({ length: count }, (_, index) => index);
  const step = (count - 1) / (wanted - 1);
  return Array.from({ length: wanted }, (_, index) => Math.round(index * step));
}

/** How a time axis writes a time of the day, a day and a month. */
export const axisFormats = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats: Record<Horizon, Intl.DateTimeFormatOptions> = {
  all: axisFormats.clock,
  hourly: axisFormats.clock,
  daily: axisFormats.day,
  monthly: axisFormats.month,
};

/** 13:53, 13:00, 16 Nov, Nov 2026 */
export function tickLabel(time: number, horizon: Horizon, locale = pageLocale): string {
  return new Intl.DateTimeFormat(locale, formats[horizon]).format(time);
}

/** How far below the top of the plot a value stands, as a share of the plot's height. */
export const percentAt = (value: number, top: number): number => 100 - (100 * value) / top;
