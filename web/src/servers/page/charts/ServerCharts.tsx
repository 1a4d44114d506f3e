import type { ReactNode } from 'react';
import { problemText } from '../../../data/api-problem.ts';
import { Chart, type ChartProps } from '../../../ui/chart/Chart.tsx';
import { useHorizon } from '../../../ui/chart/ChartGroup.tsx';
import type { ChartData } from '../../../ui/chart/chart-types.ts';
import { formatBytes, formatLatency, formatPercent, formatRate } from '../../../ui/text/format.ts';
import type { ServerStatsView } from '../use-server-stats.ts';
import { chartData, type ServerChart } from './chart-series.ts';
import { Disks } from './Disks.tsx';

export interface ServerChartsProps {
  view: ServerStatsView;
  emptyHint: string;
}

const percent = (value: number) => formatPercent(value);
const finePercent = (value: number) => formatPercent(value, 1);

/** The five charts, in the order of the section bar. Must stand inside a `ChartGroup`. */
export function ServerCharts({ view, emptyHint }: ServerChartsProps) {
  const { stats } = view;
  const common = { view, emptyHint };
  const cores = stats?.cpu_cores ?? null;
  return (
    <>
      <StatsChart
        {...common}
        id="network-usage"
        chart="network"
        title="Network Usage"
        unit="per second"
        scale="bytes"
        format={formatRate}
      />
      <StatsChart
        {...common}
        id="network-latency"
        chart="latency"
        title="Network Latency"
        unit="round trip"
        format={formatLatency}
      />
      <StatsChart
        {...common}
        id="cpu-load"
        chart="cpu"
        title="CPU Load"
        unit={cores === null ? '' : `${cores} ${cores === 1 ? 'core' : 'cores'}`}
        scale="percent"
        format={percent}
      />
      <StatsChart
        {...common}
        id="ram-swap"
        chart="memory"
        title="RAM & SWAP"
        unit={stats ? memoryUnit(stats.ram_total, stats.swap_total) : ''}
        scale="percent"
        format={percent}
      />
      <StatsChart
        {...common}
        id="disk-usage"
        chart="disk"
        title="Disk Usage"
        unit={stats?.disk_total ? formatBytes(stats.disk_total) : ''}
        scale="percent"
        format={finePercent}
      >
        {stats && stats.disk_array.length > 0 && <Disks disks={stats.disk_array} />}
      </StatsChart>
    </>
  );
}

type StatsChartProps = ServerChartsProps &
  Pick<ChartProps, 'id' | 'title' | 'scale'> & {
    chart: ServerChart;
    unit: string;
    format: (value: number) => string;
    children?: ReactNode;
  };

function StatsChart({ view, chart, ...look }: StatsChartProps) {
  const [horizon] = useHorizon(look.id);
  const data = dataOf(view, (stats) => chartData(chart, horizon, stats));
  return <Chart {...look} data={data} />;
}

type Series = Parameters<typeof chartData>[2];

function dataOf(
  { stats, timeseries, error, retry }: ServerStatsView,
  draw: (stats: Series) => ChartData,
): ChartData {
  if (stats && timeseries) return draw({ ...stats, timeseries });
  if (stats === null) return { state: 'empty' };
  if (error) return { state: 'failed', reason: problemText(error), onRetry: retry };
  return { state: 'loading' };
}

function memoryUnit(ram: number | null, swap: number | null): string {
  if (ram === null) return '';
  return swap ? `${formatBytes(ram)} + ${formatBytes(swap)}` : `${formatBytes(ram)}, no swap`;
}
