import type { Horizon } from '@homeport/contract/horizons';
import type { UptimePhase } from '@homeport/contract/uptime/facts';
import type { UptimePoint, UptimeWithSeries } from '@homeport/contract/uptime/schema';
import { drawn, type Line, pointsOf } from '../../../ui/chart/chart-data.ts';
import type { ChartData, ChartSeries } from '../../../ui/chart/chart-types.ts';
import { nearest } from '../../../ui/chart/series.ts';

type Series = UptimeWithSeries['timeseries'];

interface Layer extends Pick<ChartSeries, 'label' | 'colour'> {
  key: Exclude<UptimePhase, 'total'>;
}

/** The layers from the bottom up, in the order of the phases. */
const layers: readonly Layer[] = [
  { key: 'dnsLookup', label: 'DNS', colour: 5 },
  { key: 'tcpConnection', label: 'TCP', colour: 3 },
  { key: 'tlsHandshake', label: 'TLS', colour: 4 },
  { key: 'firstByte', label: 'First byte', colour: 1 },
  { key: 'contentTransfer', label: 'Transfer', colour: 2 },
];

/**
 * Milliseconds. A phase without any point (TLS of a plain address) is not drawn. Empty when no check
 * succeeded.
 */
export function requestTimes(timeseries: Series, horizon: Horizon): ChartData {
  const points = pointsOf(timeseries, horizon);
  const known = layers.filter(({ key }) => points.some((point) => point[key] !== null));
  const lineOf = (layer: Layer): Line<UptimePoint> => ({ ...layer, value: (point) => point[layer.key] });
  return drawn(points, known.map(lineOf));
}

/**
 * Milliseconds from start to end of the check at `at`, or at the newest point. null when no check succeeded.
 */
export function totalAt(timeseries: Series, horizon: Horizon, at: number | null): number | null {
  const points = pointsOf(timeseries, horizon);
  const index =
    at === null
      ? points.length - 1
      : nearest(
          points.map(({ ts }) => ts),
          at,
        );
  return points[index]?.total ?? null;
}
