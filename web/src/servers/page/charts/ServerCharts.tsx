import type { ChartMeasure } from '@homeport/contract/charts/facts';
import type { ReactNode } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { Chart, type ChartProps } from '../../../ui/chart/Chart.tsx';
import { useHorizon } from '../../../ui/chart/ChartGroup.tsx';
import type { ChartData } from '../../../ui/chart/chart-types.ts';
import { formatBytes, formatLatency, formatPercent, formatRate } from '../../../ui/text/format.ts';
import type { ServerStatsView } from '../use-server-stats.ts';
import { chartData, type ServerChart } from './chart-series.ts';
import { Disks } from './Disks.tsx';

export interface ServerChartsProps {
  /** The server's key, for the addresses of its large charts. */
  serverKey: string;
  view: ServerStatsView;
  emptyHint: string;
}

const percent = (value: number) => formatPercent(value);
const finePercent = (value: number) => formatPercent(value, 1);

/** The five charts, in the order of the section bar. Must stand inside a `ChartGroup`. */
export function ServerCharts({ serverKey, view, emptyHint }: ServerChartsProps) {
  const { stats } = view;
  const common = { serverKey, view, emptyHint };
  const cores = stats?.cpu_cores ?? null;
  return (
    <>
      <StatsChart
        {...common}
        id="network-usage"
        chart="network"
        measure="received"
        title="Network Usage"
        unit="per second"
        scale="bytes"
        format={formatRate}
      />
      <StatsChart
        {...common}
        id="network-latency"
        chart="latency"
        measure="ping-eu"
        title="Network Latency"
        unit="round trip"
        format={formatLatency}
      />
      <StatsChart
        {...common}
        id="cpu-load"
        chart="cpu"
        measure="cpu"
        title="CPU Load"
        unit={cores === null ? '' : `${cores} ${cores === 1 ? 'core' : 'cores'}`}
        scale="percent"
        format={percent}
      />
      <StatsChart
        {...common}
        id="ram-swap"
        chart="memory"
        measure="ram"
        title="RAM & SWAP"
        unit={stats ? memoryUnit(stats.ram_total, stats.swap_total) : ''}
        scale="percent"
        format={percent}
      />
      <StatsChart
        {...common}
        id="disk-usage"
        chart="disk"
        measure="disk"
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
    /** What the large chart shows first. */
    measure: ChartMeasure<'server'>;
    unit: string;
    format: (value: number) => string;
    children?: ReactNode;
  };

function StatsChart({ serverKey, view, chart, measure, ...look }: StatsChartProps) {
  const [horizon] = useHorizon(look.id);
  const data = dataOf(view, (stats) => chartData(chart, horizon, stats));
  return (
    <Chart
      {...look}
      data={data}
      large={
        <ButtonLink
          to="/server/$key/chart/$measure"
          params={{ key: serverKey, measure }}
          {...{ variant: 'ghost', size: 'sm', icon: 'search', iconOnly: true }}
          aria-label={`${look.title} over any range`}
          title={`${look.title} over any range`}
        />
      }
    />
  );
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
