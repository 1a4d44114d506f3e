import { messages } from '@homeport/contract/states/messages';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button, IconButton } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import { Lamp } from '../feedback/Status.tsx';
import skeletonStyles from '../feedback/skeleton.module.css';
import { Segments } from '../form/Segments.tsx';
import layout from '../layout/layout.module.css';
import panelStyles from '../layout/panel.module.css';
import { Icon } from '../picture/Icon.tsx';
import { noData } from '../text/format.ts';
import typography from '../text/typography.module.css';
import { useCrosshair, useHorizon } from './ChartGroup.tsx';
import { ChartTable } from './ChartTable.tsx';
import chartStyles from './chart.module.css';
import type { ChartData, ChartSeries } from './chart-types.ts';
import { Plot } from './Plot.tsx';
import {
  highest,
  horizonChoices,
  intervalMs,
  nearest,
  niceTop,
  percentTop,
  stacked,
  tickLabel,
  withGaps,
} from './series.ts';
import { seriesClass } from './series-class.ts';

export interface ChartProps {
  /** The section's anchor and the chart's name in its group. */
  id: string;
  title: string;
  unit?: string;
  data: ChartData;
  format: (value: number) => string;
  /** `percent` draws the bands and reaches to at least 100. `bytes` rounds in steps of 1024. */
  scale?: 'percent' | 'bytes' | 'plain';
  /** The distance between the points of Latest. Servers report every 3 minutes. */
  latestEveryMs?: number;
  /** Draws the series on top of each other, with their `total` in the legend. */
  stack?: boolean;
  total?: ReactNode;
  /** How old the newest figures are. Stands at the end of the legend, where it costs no line. */
  measured?: ReactNode;
  /** For the empty state: when the first points will arrive. */
  emptyHint?: ReactNode;
  /** A link to the same figures over any range. */
  large?: ReactNode;
  /** Stands under the plot: the filesystems of a disk chart. */
  children?: ReactNode;
}

export function Chart({
  id,
  title,
  unit,
  data,
  format,
  scale = 'plain',
  latestEveryMs = intervalMs.all,
  stack = false,
  total,
  measured,
  large,
  emptyHint = 'The first points arrive about 3 minutes after the agent starts.',
  children,
}: ChartProps) {
  const headingId = useId();
  const [horizon, setHorizon] = useHorizon(id);
  const [asTable, setAsTable] = useState(false);
  const ready =
    data.state === 'ready' && data.series.some(({ values }) => values.some((value) => value !== null));
  const gapped = useMemo(
    () =>
      data.state === 'ready'
        ? withGaps(
            data.times,
            data.series.map((series) => series.values),
            horizon === 'all' ? latestEveryMs : intervalMs[horizon],
          )
        : null,
    [data, horizon, latestEveryMs],
  );
  const drawn = useMemo(
    () => (gapped ? (stack ? stacked(gapped.values) : gapped.values) : []),
    [gapped, stack],
  );
  const top =
    scale === 'percent'
      ? percentTop(highest(drawn))
      : niceTop(highest(drawn), scale === 'bytes' ? 1024 : 1000);

  return (
    <figure
      className={classNames(panelStyles.panel, chartStyles.chart)}
      id={id}
      aria-labelledby={headingId}
      aria-busy={data.state === 'loading' || undefined}
    >
      <figcaption className={panelStyles.head}>
        <h2 id={headingId}>
          {title}
          {unit && <span className={chartStyles.unit}>{unit}</span>}
        </h2>
        <div className={panelStyles.actions}>
          <Segments
            legend={`Horizon of ${title}`}
            value={horizon}
            options={horizonChoices}
            onChange={setHorizon}
          />
          <IconButton
            label={asTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
            icon={asTable ? 'chart' : 'table'}
            aria-pressed={asTable}
            disabled={!ready}
            onClick={() => setAsTable(!asTable)}
          />
          {large}
        </div>
      </figcaption>
      {!ready && <WithoutLines data={data} emptyHint={emptyHint} />}
      {data.state === 'ready' && ready && gapped && (
        <>
          <Legend
            series={data.series}
            data={gapped}
            horizon={horizon}
            format={format}
            stack={stack}
            total={total}
            measured={measured}
          />
          {asTable ? (
            <ChartTable title={title} horizon={horizon} data={gapped} series={data.series} format={format} />
          ) : (
            <Plot
              title={title}
              horizon={horizon}
              data={gapped}
              series={data.series}
              drawn={drawn}
              stack={stack}
              percent={scale === 'percent'}
              top={top}
              format={format}
              onTable={() => setAsTable(true)}
            />
          )}
        </>
      )}
      {children}
      {!ready && measured && (
        <p className={classNames(panelStyles.foot, typography.extraSmall)}>
          <span>{measured}</span>
        </p>
      )}
    </figure>
  );
}

/** Stands in place of the lines while they load, after a failure, or without any data. */
function WithoutLines({ data, emptyHint }: { data: ChartData; emptyHint: ReactNode }) {
  if (data.state === 'loading') return <Silhouette />;
  if (data.state === 'failed')
    return (
      <Note>
        <Icon name="danger" size={20} className={typography.danger} />
        <b className={typography.strong}>{data.reason}</b>
        <Button size="sm" icon="refresh" onClick={data.onRetry}>
          Try again
        </Button>
      </Note>
    );
  return (
    <Note>
      <Lamp state="nodata" size={18} />
      <b className={typography.strong}>{messages.noData}</b>
      <span className={classNames(typography.extraSmall, typography.subtle)}>{emptyHint}</span>
    </Note>
  );
}

interface LegendProps {
  series: readonly ChartSeries[];
  data: { times: number[]; values: (number | null)[][] };
  horizon: Parameters<typeof tickLabel>[1];
  format: (value: number) => string;
  stack: boolean;
  total: ReactNode;
  measured: ReactNode;
}

/** Names each line with its value at the crosshair, or at the newest point. */
function Legend({ series, data, horizon, format, stack, total, measured }: LegendProps) {
  const [at] = useCrosshair(horizon);
  const index = at === null ? data.times.length - 1 : nearest(data.times, at);
  const time = data.times[index];
  return (
    <div className={chartStyles.legend}>
      {series.map((each, place) => {
        const value = data.values[place]?.[index] ?? null;
        return (
          <span key={each.key}>
            {stack ? (
              <i className={classNames(chartStyles.swatch, seriesClass[each.colour])} />
            ) : (
              <Stroke colour={each.colour} place={place + 1} />
            )}
            {each.label} <b>{value === null ? noData : format(value)}</b>
          </span>
        );
      })}
      {total}
      {at !== null && time !== undefined && (
        <span className={chartStyles.time}>{tickLabel(time, horizon)}</span>
      )}
      {at === null && measured && <span className={chartStyles.measured}>{measured}</span>}
    </div>
  );
}

function Stroke({ colour, place }: { colour: number; place: number }) {
  return (
    <svg viewBox="0 0 18 8" aria-hidden="true">
      <path
        d="M0 4H18"
        stroke={`var(--series-${colour})`}
        strokeWidth="2"
        style={{ strokeDasharray: `var(--dash-${place})` }}
      />
    </svg>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className={chartStyles.plotArea}>
      <div className={classNames(chartStyles.plot, chartStyles.notice)}>
        <div>{children}</div>
      </div>
    </div>
  );
}

/** Stands in place of the lines while they load. */
function Silhouette() {
  return (
    <div className={chartStyles.plotArea} aria-hidden="true">
      <div className={classNames(layout.row, layout.gap4, chartStyles.silhouette)}>
        <span className={classNames(skeletonStyles.skeleton, skeletonStyles.short)} />
        <span className={classNames(skeletonStyles.skeleton, skeletonStyles.short)} />
      </div>
      <div className={chartStyles.plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0 70L12 62L24 66L38 40L52 52L66 30L80 44L100 36V100H0Z" fill="var(--skeleton)" />
        </svg>
      </div>
      <div className={chartStyles.axis} />
    </div>
  );
}
