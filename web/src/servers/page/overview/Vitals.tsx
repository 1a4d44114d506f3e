import { usageBand } from '@homeport/contract/limits';
import type { ServerStats, StatsPoint } from '@homeport/contract/stats/schema';
import type { ReactNode } from 'react';
import { Meter } from '../../../ui/chart/Meter.tsx';
import { Sparkline } from '../../../ui/chart/Sparkline.tsx';
import { intervalMs, withGaps } from '../../../ui/chart/series.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/feedback/States.tsx';
import { toneOf } from '../../../ui/feedback/tones.ts';
import layout from '../../../ui/layout/layout.module.css';
import { Icon, type IconName } from '../../../ui/picture/Icon.tsx';
import {
  bytesParts,
  formatBytes,
  formatLatency,
  formatLoad,
  formatRate,
  noData,
} from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { perSecond, transferRate } from '../../transfer-rate.ts';
import { share } from '../charts/chart-series.ts';
import vitalsStyles from './vitals.module.css';

export interface VitalsProps {
  stats: ServerStats;
  points: readonly StatsPoint[];
  /** The points are not there yet. */
  pointsToCome: boolean;
}

/** The five main figures of a server, each with its last 20 points. */
export function Vitals({ stats, points, pointsToCome }: VitalsProps) {
  const line = (value: (point: StatsPoint) => number | null) =>
    withGaps(
      points.map((point) => point.ts),
      [points.map(value)],
      intervalMs.all,
    ).values[0] ?? [];
  const transfer = { rx_gap: stats.rx_gap, tx_gap: stats.tx_gap, seconds: stats.gap_seconds };
  const latest = points.at(-1);
  return (
    <dl className={vitalsStyles.vitals}>
      <Vital
        icon="gauge"
        name="CPU load"
        figure={formatLoad(stats.load[0])}
        of={
          stats.cpu_cores === null
            ? null
            : `on ${stats.cpu_cores} ${stats.cpu_cores === 1 ? 'core' : 'cores'}`
        }
        percent={stats.load_percent}
        line={line((point) => point.load_avg)}
      />
      <Vital
        icon="memory"
        name="RAM"
        figure={formatBytes(stats.ram_usage)}
        of={ofTotal(stats.ram_total)}
        percent={stats.ram_percent}
        line={line((point) => share(point.ram_usage, stats.ram_total))}
        max={100}
      />
      <Vital
        icon="disk"
        name="Disk"
        figure={formatBytes(stats.disk_usage)}
        of={ofTotal(stats.disk_total)}
        percent={stats.disk_percent}
        line={line((point) => share(point.disk_usage, stats.disk_total))}
        max={100}
      />
      <Vital
        icon="network"
        name="Network"
        figure={formatRate(transferRate(transfer))}
        line={line(transferRate)}
      >
        <span>
          <span aria-hidden="true">↓ </span>
          <span className={layout.visuallyHidden}>Received </span>
          {formatRate(perSecond(stats.rx_gap, stats.gap_seconds))}
        </span>
        <span>
          <span aria-hidden="true">↑ </span>
          <span className={layout.visuallyHidden}>Sent </span>
          {formatRate(perSecond(stats.tx_gap, stats.gap_seconds))}
        </span>
      </Vital>
      <Vital
        icon="latency"
        name="Latency"
        figure={pointsToCome ? null : formatLatency(latest?.ping_eu)}
        of={latest ? 'Europe' : null}
        line={line((point) => point.ping_eu)}
      >
        {!pointsToCome && (
          <>
            <span>US {formatLatency(latest?.ping_us)}</span>
            <span>Asia {formatLatency(latest?.ping_as)}</span>
          </>
        )}
      </Vital>
    </dl>
  );
}

const ofTotal = (bytes: number | null) => {
  if (bytes === null) return null;
  const { amount, unit } = bytesParts(bytes);
  return `of ${amount} ${unit}`;
};

const toCome: readonly { icon: IconName; name: string; hasMeter: boolean }[] = [
  { icon: 'gauge', name: 'CPU load', hasMeter: true },
  { icon: 'memory', name: 'RAM', hasMeter: true },
  { icon: 'disk', name: 'Disk', hasMeter: true },
  { icon: 'network', name: 'Network', hasMeter: false },
  { icon: 'latency', name: 'Latency', hasMeter: false },
];

/** As high as the figures, so that nothing moves when they arrive. */
export function VitalsToCome() {
  return (
    <dl className={vitalsStyles.vitals}>
      {toCome.map(({ icon, name, hasMeter }) => (
        <div className={vitalsStyles.vital} key={name}>
          <dt>
            <Icon name={icon} size={16} />
            {name}
          </dt>
          <dd>
            <div className={vitalsStyles.figure}>
              <FigureToCome />
            </div>
            {hasMeter ? (
              <Meter label={name} percent={0} valueText={'\u00a0'} />
            ) : (
              <p className={vitalsStyles.parts} />
            )}
            <Sparkline values={[]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const FigureToCome = () => <Skeleton width="60%" height="1.3em" />;

interface VitalProps {
  icon: IconName;
  name: string;
  /** null: it is still to come. */
  figure: string | null;
  /** Stands beside the figure: the total that the figure is a part of. */
  of?: string | null;
  /** Adds a meter. */
  percent?: number | null;
  line: readonly (number | null)[];
  max?: number;
  /** Replaces the meter. */
  children?: ReactNode;
}

function Vital({ icon, name, figure, of = null, percent, line, max, children }: VitalProps) {
  const known = figure !== null && figure !== noData;
  const tone = percent === null || percent === undefined ? 'info' : toneOf[usageBand(percent)];
  return (
    <div className={vitalsStyles.vital}>
      <dt>
        <Icon name={icon} size={16} />
        {name}
      </dt>
      <dd>
        <div className={known ? vitalsStyles.figure : classNames(vitalsStyles.figure, typography.subtle)}>
          {figure ?? <FigureToCome />} {known && of && <small>{of}</small>}
        </div>
        {percent === undefined ? (
          <p className={vitalsStyles.parts}>{children}</p>
        ) : (
          <Meter label={name} percent={percent} />
        )}
        <Sparkline values={line} tone={tone} {...(max === undefined ? {} : { max })} />
      </dd>
    </div>
  );
}
