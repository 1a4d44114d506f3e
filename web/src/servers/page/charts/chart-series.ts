import type { Horizon } from '@homeport/contract/horizons';
import type { ServerStats, StatsPoint, Timeseries } from '@homeport/contract/stats/schema';
import { drawn, pointsOf } from '../../../ui/chart/chart-data.ts';
import type { ChartData, ChartSeries } from '../../../ui/chart/chart-types.ts';
import type { Value } from '../../../ui/chart/series.ts';
import { perSecond } from '../../transfer-rate.ts';

type Totals = Pick<ServerStats, 'cpu_cores' | 'ram_total' | 'swap_total' | 'disk_total'>;

interface ServerLine extends Omit<ChartSeries, 'values'> {
  value: (point: StatsPoint, totals: Totals) => Value;
}

/** The lines of each chart of a server, in the units that the chart shows. */
export const serverLines = {
  /** Bytes per second, over the time that a point's reports cover. */
  network: [
    { key: 'rx', label: 'Received', colour: 1, area: true, value: (p) => perSecond(p.rx_gap, p.seconds) },
    { key: 'tx', label: 'Sent', colour: 2, value: (p) => perSecond(p.tx_gap, p.seconds) },
  ],
  /** Milliseconds. */
  latency: [
    { key: 'eu', label: 'Europe', colour: 1, value: (p) => p.ping_eu },
    { key: 'us', label: 'US', colour: 2, value: (p) => p.ping_us },
    { key: 'as', label: 'Asia', colour: 3, value: (p) => p.ping_as },
  ],
  /** Percent. A load average equal to the number of cores is 100. */
  cpu: [
    {
      key: 'avg',
      label: 'Load average',
      colour: 1,
      area: true,
      value: (p, t) => share(p.load_avg, t.cpu_cores),
    },
    { key: 'cpu', label: 'CPU', colour: 3, value: (p) => p.load_cpu },
    { key: 'io', label: 'I/O wait', colour: 4, value: (p) => p.load_io },
  ],
  /** Percent. */
  memory: [
    { key: 'ram', label: 'RAM', colour: 1, area: true, value: (p, t) => share(p.ram_usage, t.ram_total) },
    { key: 'swap', label: 'SWAP', colour: 5, value: (p, t) => share(p.swap_usage, t.swap_total) },
  ],
  /** Percent. */
  disk: [
    { key: 'disk', label: 'Used', colour: 1, area: true, value: (p, t) => share(p.disk_usage, t.disk_total) },
  ],
} as const satisfies Record<string, readonly ServerLine[]>;

export type ServerChart = keyof typeof serverLines;

/** The points of a horizon as a chart's data. */
export function chartData(
  chart: ServerChart,
  horizon: Horizon,
  { timeseries, ...totals }: Totals & { timeseries: Timeseries },
): ChartData {
  const lines = serverLines[chart].map(({ value, ...line }: ServerLine) => ({
    ...line,
    value: (point: StatsPoint) => value(point, totals),
  }));
  return drawn(pointsOf(timeseries, horizon), lines);
}

/** Percent of the whole. null if the whole is unknown or 0: for a server without swap, 0 % would be wrong. */
export function share(part: number | null, whole: number | null): number | null {
  return part === null || !whole ? null : (100 * part) / whole;
}
