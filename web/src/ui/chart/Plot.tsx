import type { Horizon } from '@homeport/contract/horizons';
import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useRef } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { formatPercent } from '../text/format.ts';
import { mendLanguage } from '../text/locale.ts';
import { Bands } from './Bands.tsx';
import { useCrosshair } from './ChartGroup.tsx';
import chartStyles from './chart.module.css';
import type { ChartSeries } from './chart-types.ts';
import { describeChart } from './describe.ts';
import { pointAfterKey, sayPoint } from './plot-keys.ts';
import { extent, type Gapped, nearest, percentAt, percentTicks, tickIndexes, tickLabel } from './series.ts';
import { seriesClass } from './series-class.ts';
import { useSpoken } from './use-spoken.ts';

const Lines = lazy(async () => {
  mendLanguage(navigator);
  return { default: (await import('./Lines.tsx')).Lines };
});

export interface PlotProps {
  title: string;
  horizon: Horizon;
  data: Gapped;
  series: readonly ChartSeries[];
  /** The heights of each series' line. They differ from its values when the chart is stacked. */
  drawn: readonly (readonly (number | null)[])[];
  stack: boolean;
  percent: boolean;
  top: number;
  format: (value: number) => string;
  onTable: () => void;
}

export function Plot(props: PlotProps) {
  const { title, horizon, data, series, drawn, stack, percent, top, format, onTable } = props;
  const plot = useRef<HTMLDivElement>(null);
  const [at, moveTo] = useCrosshair(horizon);
  const { times } = data;
  const { from, to } = extent(times);
  const span = to - from;
  const across = (time: number) => (100 * (time - from)) / span;
  const index = at === null ? -1 : nearest(times, at);
  const { spoken, onKeys } = usePlotKeys({ data, series, horizon, format, index, moveTo, onTable });

  const follow = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    if (!box) return;
    const time = from + (span * (event.clientX - box.left)) / box.width;
    const point = times[nearest(times, time)];
    if (point !== undefined) moveTo(point);
  };

  return (
    <div className={chartStyles.plotArea}>
      <div
        ref={plot}
        className={chartStyles.plot}
        role="img"
        aria-label={describeChart({
          title,
          horizon,
          gaps: data.gaps,
          format,
          series: series.map((each, which) => ({ label: each.label, values: data.values[which] ?? [] })),
        })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the crosshair
        tabIndex={0}
        onKeyDown={onKeys}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => moveTo(null)}
        onBlur={() => moveTo(null)}
      >
        {percent && <Bands top={top} />}
        <Grid top={top} percent={percent} format={format} />
        <Suspense fallback={null}>
          <Lines times={times} values={drawn} series={series} top={top} stack={stack} />
        </Suspense>
        {data.gaps.map((gap) => (
          <span
            key={gap.from}
            className={chartStyles.gap}
            style={{ left: `${across(gap.from)}%`, width: `${across(gap.to) - across(gap.from)}%` }}
          >
            <em>no data</em>
          </span>
        ))}
        <Crosshair {...{ horizon, series, drawn, top, index }} time={times[index]} across={across} />
      </div>
      <div className={chartStyles.axis} aria-hidden="true">
        {tickIndexes(times.length).map((tick) => {
          const time = times[tick] ?? from;
          return (
            <span key={tick} style={{ left: `${across(time)}%` }}>
              {tickLabel(time, horizon)}
            </span>
          );
        })}
      </div>
      <span className={layout.visuallyHidden} role="status">
        {spoken}
      </span>
    </div>
  );
}

interface PlotKeysProps extends Pick<PlotProps, 'data' | 'series' | 'horizon' | 'format' | 'onTable'> {
  /** The index of the point under the crosshair. -1 without a crosshair. */
  index: number;
  moveTo: (time: number | null) => void;
}

/** A quarter of the points that a chart of a horizon has. */
const pagePoints = 5;

/** Keys move the crosshair, and a screen reader hears each point that it reaches. */
function usePlotKeys({ data, series, horizon, format, onTable, index, moveTo }: PlotKeysProps) {
  const { spoken, speak } = useSpoken();
  const { times } = data;
  const onKeys = (event: KeyboardEvent) => {
    const target = pointAfterKey(event.key, index, times.length - 1, pagePoints);
    if (target !== null) {
      event.preventDefault();
      moveTo(times[target] ?? extent(times).from);
      speak(sayPoint(data, target, series, horizon, format));
    } else if (event.key === 'Escape' && index >= 0) {
      event.stopPropagation();
      moveTo(null);
    } else if (event.key.toLowerCase() === 't' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      onTable();
    }
  };
  return { spoken, onKeys };
}

/** The grid lines at zero, between and at the top, with their labels. */
function Grid({ top, percent, format }: Pick<PlotProps, 'top' | 'percent' | 'format'>) {
  const ticks = percent ? percentTicks(top) : [0, top / 2, top];
  const names = ticks.map((tick) => (tick === 0 ? '0' : percent ? formatPercent(tick) : format(tick)));
  return ticks.map((tick, place) => (
    <span key={tick}>
      <i className={chartStyles.gridLine} style={{ top: `${percentAt(tick, top)}%` }} />
      {/* Of two equal labels only the last is drawn. Half of a very small top may read like the top. */}
      {names.indexOf(names[place] ?? '', place + 1) < 0 && (
        <span className={chartStyles.tick} style={{ top: `${percentAt(tick, top)}%` }}>
          {names[place]}
        </span>
      )}
    </span>
  ));
}

interface CrosshairProps extends Pick<PlotProps, 'horizon' | 'series' | 'drawn' | 'top'> {
  index: number;
  time: number | undefined;
  across: (time: number) => number;
}

function Crosshair({ horizon, series, drawn, top, index, time, across }: CrosshairProps) {
  if (time === undefined) return null;
  return (
    <span className={chartStyles.crosshair} style={{ left: `${across(time)}%` }}>
      {series.map((each, which) => {
        const value = drawn[which]?.[index] ?? null;
        if (value === null) return null;
        return (
          <i
            key={each.key}
            className={classNames(chartStyles.point, seriesClass[each.colour])}
            style={{ top: `${percentAt(value, top)}%` }}
          />
        );
      })}
      <b className={chartStyles.flag}>{tickLabel(time, horizon)}</b>
    </span>
  );
}
