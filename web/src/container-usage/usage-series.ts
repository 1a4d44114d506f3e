import type { Horizon } from '@homeport/contract/horizons';
import type { AppStats, AppStatsPoint } from '@homeport/contract/stats/schema';
import { drawn, type Line, pointsOf } from '../ui/chart/chart-data.ts';
import type { ChartData } from '../ui/chart/chart-types.ts';

/** Percent: memory of the container's limit, CPU of one core. */
const lines: readonly Line<AppStatsPoint>[] = [
  { key: 'memory', label: 'Memory', colour: 1, area: true, value: (point) => point.mem_percent },
  { key: 'cpu', label: 'CPU', colour: 3, value: (point) => point.cpu_percent },
];

export const usageData = (timeseries: AppStats['timeseries'], horizon: Horizon): ChartData =>
  drawn(pointsOf(timeseries, horizon), lines);
