import type { Horizon } from '@homeport/contract/horizons';
import type { TimeseriesOf } from '@homeport/contract/timeseries';
import type { ChartData, ChartSeries } from './chart-types.ts';
import type { Value } from './series.ts';

/** The points of a horizon, oldest first. */
export function pointsOf<Point>(timeseries: TimeseriesOf<Point>, horizon: Horizon): readonly Point[] {
  return timeseries[horizon];
}

export interface Line<Point> extends Omit<ChartSeries, 'values'> {
  /** The value in the chart's unit. null if the point does not know it. */
  value: (point: Point) => Value;
}

/** Turns points, oldest first, into a chart's data. The result is empty without points or without a line. */
export function drawn<Point extends { ts: number }>(
  points: readonly Point[],
  lines: readonly Line<Point>[],
): ChartData {
  if (points.length === 0 || lines.length === 0) return { state: 'empty' };
  return {
    state: 'ready',
    times: points.map(({ ts }) => ts),
    series: lines.map(({ value, ...line }) => ({ ...line, values: points.map(value) })),
  };
}
