import type { ChartMeasure } from '@homeport/contract/charts/facts';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { formatBytes, formatLatency, formatPercent, formatRate } from '../../ui/text/format.ts';

export type Totals = Pick<ServerStats, 'cpu_cores' | 'ram_total' | 'swap_total' | 'disk_total'>;

export interface Measure {
  title: string;
  scale: 'percent' | 'bytes' | 'plain';
  format: (value: number) => string;
  /** For the heading of a file's columns. */
  unit: string;
  /** The whole of which the chart shows the share, from the server's latest report. */
  whole?: keyof Totals;
}

const percent = {
  scale: 'percent',
  format: (value: number) => formatPercent(value, 1),
  unit: 'percent',
} as const;
const latency = { scale: 'plain', format: (value: number) => formatLatency(value), unit: 'ms' } as const;
const rate = {
  scale: 'bytes',
  format: (value: number) => formatRate(value),
  unit: 'bytes per second',
} as const;
const traffic = { received: { ...rate, title: 'Received' }, sent: { ...rate, title: 'Sent' } };

/** In the order of the list from which a person chooses. */
export const serverMeasures: Record<ChartMeasure<'server'>, Measure> = {
  cpu: { ...percent, title: 'CPU' },
  load: { ...percent, title: 'Load average', whole: 'cpu_cores' },
  'io-wait': { ...percent, title: 'I/O wait' },
  ram: { ...percent, title: 'RAM', whole: 'ram_total' },
  swap: { ...percent, title: 'SWAP', whole: 'swap_total' },
  disk: { ...percent, title: 'Disk', whole: 'disk_total' },
  ...traffic,
  'ping-eu': { ...latency, title: 'Latency to Europe' },
  'ping-us': { ...latency, title: 'Latency to the US' },
  'ping-asia': { ...latency, title: 'Latency to Asia' },
};

/** A database is one container, and an app may be several. */
export const databaseMeasures: Record<ChartMeasure<'database'>, Measure> = {
  memory: { scale: 'bytes', format: (value) => formatBytes(value), unit: 'bytes', title: 'Memory' },
  'memory-share': { ...percent, title: 'Memory, share of its limit' },
  cpu: { ...percent, title: 'CPU, share of one core' },
  ...traffic,
};

export const appMeasures: Record<ChartMeasure<'app'>, Measure> = {
  ...databaseMeasures,
  'answer-time': { ...latency, title: 'Answer time' },
};

/** The measure that an address names. An unknown name shows the first measure of the list. */
export function measureOf<M extends string>(measures: Record<M, Measure>, name: string, first: M): M {
  return Object.hasOwn(measures, name) ? (name as M) : first;
}
