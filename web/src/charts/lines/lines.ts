import type { ChartSeries } from '@homeport/contract/charts/schema';
import { gapFactor, highest, niceTop, percentTop, type Value } from '../../ui/chart/series.ts';
import type { Measure, Totals } from './measures.ts';

/** One server or app of a chart, in the chart's unit. */
export interface ChartLine {
  key: string;
  name: string;
  times: readonly number[];
  average: readonly Value[];
  lowest: readonly Value[];
  highest: readonly Value[];
  stepMs: number;
}

/** The series in the unit of the chart. A share of an unknown whole is unknown. */
export function lineOf(
  { key, name }: Pick<ChartLine, 'key' | 'name'>,
  series: ChartSeries,
  { whole }: Measure,
  totals: Totals | null,
): ChartLine {
  const all = whole === undefined ? 100 : (totals?.[whole] ?? null);
  const inUnit = (values: readonly Value[]) =>
    values.map((value) => (value === null || !all ? null : (100 * value) / all));
  const { times, stepMs } = series;
  return {
    ...{ key, name, times, stepMs },
    average: inUnit(series.average),
    lowest: inUnit(series.lowest),
    highest: inUnit(series.highest),
  };
}

/** The index of the point of a moment: the nearest one, unless it lies on the other side of a gap. -1 without one. */
export function pointAt({ times, stepMs }: Pick<ChartLine, 'times' | 'stepMs'>, at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const distance = (index: number) => Math.abs((times[index] ?? Number.NaN) - at);
  const best = low > 0 && !(distance(low) <= distance(low - 1)) ? low - 1 : low;
  return distance(best) <= gapFactor * stepMs ? best : -1;
}

/** The runs of points without a gap or an unknown value between them, as first and last index. */
export function runsOf({
  times,
  average,
  stepMs,
}: Pick<ChartLine, 'times' | 'average' | 'stepMs'>): [number, number][] {
  const runs: [number, number][] = [];
  average.forEach((value, index) => {
    if (value === null) return;
    const run = runs.at(-1);
    const follows =
      run?.[1] === index - 1 && (times[index] ?? 0) - (times[index - 1] ?? 0) <= gapFactor * stepMs;
    if (run && follows) run[1] = index;
    else runs.push([index, index]);
  });
  return runs;
}

export interface Summary {
  average: Value;
  lowest: Value;
  highest: Value;
}

/** The average of the points, and the lowest and highest single value where it is kept. */
export function summaryOf({ average, lowest, highest }: ChartLine): Summary {
  const known = average.filter((value) => value !== null);
  const ends = (values: readonly Value[]) => values.map((value, index) => value ?? average[index] ?? null);
  const reach = (values: readonly Value[], pick: (a: number, b: number) => number) =>
    values.reduce((best, value) => (value === null ? best : best === null ? value : pick(best, value)), null);
  return {
    average: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
    lowest: reach(ends(lowest), Math.min),
    highest: reach(ends(highest), Math.max),
  };
}

export function topOf(lines: readonly ChartLine[], scale: Measure['scale']): number {
  const top = highest(lines.flatMap((line) => [line.average, line.highest]));
  return scale === 'percent' ? percentTop(top) : niceTop(top, scale === 'bytes' ? 1024 : 1000);
}

/** Every moment with a point, ascending. Points of several lines in one step count as one moment. */
export function momentsOf(lines: readonly ChartLine[]): number[] {
  const [only] = lines;
  if (only && lines.length === 1) return [...only.times];
  const moments = new Map<number, number>();
  for (const { times, stepMs } of lines)
    for (const time of times)
      moments.set(Math.floor(time / stepMs), Math.min(time, moments.get(Math.floor(time / stepMs)) ?? time));
  return [...moments.values()].sort((a, b) => a - b);
}
