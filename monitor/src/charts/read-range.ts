import { type ChartMeasure, chartRangePoints } from '@homeport/contract/charts/facts';
import { monthMs, sourceFor, stepFor } from '@homeport/contract/charts/resolution';
import type { ChartSeries } from '@homeport/contract/charts/schema';
import { serverStatsEveryMs } from '@homeport/contract/limits';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import { type ChartKind, type ChartPoint, countPoints, type OwnerRead, readChart } from '@homeport/store';

export type Range = {
  kind: ChartKind;
  /** Null: nothing was measured yet. */
  series: number | null;
  measure: ChartMeasure;
  spanMs: number;
  /** Absent: the range ends now and follows the newest point. */
  to: number | undefined;
  now: number;
};

/** The points of a range, in the finest resolution that is kept and that one answer takes. */
export async function readRange(
  scope: OwnerRead,
  { kind, series, measure, spanMs, to: end, now }: Range,
): Promise<ChartSeries> {
  // The newest point may be of this very moment.
  const to = end ?? now + 1;
  const from = Math.max(0, to - spanMs);
  const source = sourceFor(from, now);
  const everyMs = kind === 'check' ? uptimeRules.everyMs : serverStatsEveryMs;
  const answer = (points: readonly ChartPoint[], stepMs: number): ChartSeries => ({
    from,
    to,
    source,
    stepMs,
    times: points.map(({ ts }) => ts),
    average: points.map(({ average }) => average),
    lowest: points.map(({ lowest }) => lowest),
    highest: points.map(({ highest }) => highest),
  });
  if (series === null) return answer([], source === 'single' ? everyMs : stepFor(source, to - from));
  const read = { kind, series, measure, source, from, to };
  if (
    source === 'single' &&
    (await countPoints(scope, { ...read, most: chartRangePoints })) <= chartRangePoints
  )
    return answer(await readChart(scope, { ...read, stepMs: null }), everyMs);
  const stepMs = stepFor(source, to - from);
  // Months have no common width, so they are not merged.
  return answer(await readChart(scope, { ...read, stepMs: stepMs === monthMs ? null : stepMs }), stepMs);
}
