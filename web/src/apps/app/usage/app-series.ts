import type { AppStats, AppStatsPoint } from '@homeport/contract/monitor';
import type { ChartData } from '../../../ui/chart/chart-types.ts';
import type { Horizon } from '../../../ui/chart/series.ts';

const pointsOn = {
  latest: 'all',
  hourly: 'hourly',
  daily: 'daily',
  monthly: 'monthly',
} as const satisfies Record<Horizon, keyof AppStats['timeseries']>;

/** Percent: memory of the app's limit, CPU of one core. */
export function usageData(timeseries: AppStats['timeseries'], horizon: Horizon): ChartData {
  const points: readonly AppStatsPoint[] = timeseries[pointsOn[horizon]];
  if (points.length === 0) return { state: 'empty' };
  return {
    state: 'ready',
    times: points.map(({ ts }) => ts),
    series: [
      {
        key: 'memory',
        label: 'Memory',
        colour: 1,
        area: true,
        values: points.map((point) => point.mem_percent),
      },
      { key: 'cpu', label: 'CPU', colour: 3, values: points.map((point) => point.cpu_percent) },
    ],
  };
}
