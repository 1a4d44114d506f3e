import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Bands } from '../../ui/chart/Bands.tsx';
import chartStyles from '../../ui/chart/chart.module.css';
import { useSpoken } from '../../ui/chart/use-spoken.ts';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import { formatPercent, noData } from '../../ui/text/format.ts';
import styles from '../charts.module.css';
import { lineStyle } from '../lines/line-style.ts';
import { type ChartLine, momentsOf, pointAt } from '../lines/lines.ts';
import type { Measure } from '../lines/measures.ts';
import { momentLabel, timeTicks } from '../range/time-ticks.ts';
import { actOfKey, type Brush, noBrush, selectionOf } from './brush.ts';
import { type Frame, RangeLines } from './RangeLines.tsx';

export interface RangePlotProps {
  label: string;
  lines: readonly ChartLine[];
  frame: Frame;
  stepMs: number;
  measure: Measure;
  brush: Brush;
  onBrush: (brush: Brush) => void;
  onZoom: (from: number, to: number) => void;
  onBack: () => void;
}

/** A drag that is shorter is a click. */
const dragPixels = 6;

/** The plot itself. A drag selects a part, and shows it. So do Shift with the arrow keys and Enter. */
export function RangePlot(props: RangePlotProps) {
  const { label, lines, frame, stepMs, measure, brush, onBrush } = props;
  const { spoken, onKeyDown } = usePlotKeys(props);
  const drag = useDrag(props);
  const across = (time: number) => (100 * (time - frame.from)) / (frame.to - frame.from);
  const selection = selectionOf(brush);
  return (
    <>
      <div
        ref={drag.box}
        className={classNames(chartStyles.plot, styles.plot)}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the crosshair and the selection
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={drag.onDown}
        onPointerMove={drag.onMove}
        onPointerUp={drag.onUp}
        onPointerCancel={() => onBrush(noBrush)}
        onPointerLeave={drag.onLeave}
        onBlur={() => onBrush(noBrush)}
      >
        {measure.scale === 'percent' && <Bands top={frame.top} />}
        <Grid top={frame.top} measure={measure} />
        <RangeLines lines={lines} frame={frame} />
        {selection && (
          <span
            className={styles.selection}
            style={{
              left: `${across(selection.from)}%`,
              width: `${across(selection.to) - across(selection.from)}%`,
            }}
          />
        )}
        {brush.at !== null && (
          <span className={chartStyles.crosshair} style={{ left: `${across(brush.at)}%` }}>
            {lines.map((line, place) => {
              const value = line.average[pointAt(line, brush.at ?? 0)] ?? null;
              if (value === null) return null;
              return (
                <i
                  key={line.key}
                  className={chartStyles.point}
                  style={{
                    top: `${100 - (100 * value) / frame.top}%`,
                    background: `var(${lineStyle(place).colour})`,
                  }}
                />
              );
            })}
            <b className={chartStyles.flag}>{momentLabel(brush.at, stepMs)}</b>
          </span>
        )}
      </div>
      <div className={classNames(chartStyles.axis, styles.axis)} aria-hidden="true">
        {timeTicks(frame.from, frame.to).map(({ at, label: text }) => (
          <span key={at} style={{ left: `${across(at)}%` }}>
            {text}
          </span>
        ))}
      </div>
      <span className={layout.visuallyHidden} role="status">
        {spoken}
      </span>
    </>
  );
}

function Grid({ top, measure }: { top: number; measure: Measure }) {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = part * top;
    return (
      <span key={part}>
        <i className={chartStyles.gridLine} style={{ top: `${100 - 100 * part}%` }} />
        <span className={chartStyles.tick} style={{ top: `${100 - 100 * part}%` }}>
          {value === 0 ? '0' : measure.scale === 'percent' ? formatPercent(value) : measure.format(value)}
        </span>
      </span>
    );
  });
}

function usePlotKeys({ lines, stepMs, measure, brush, onBrush, onZoom, onBack }: RangePlotProps) {
  const { spoken, speak } = useSpoken();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actOfKey(event, brush, momentsOf(lines));
    if (act === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (act.kind === 'zoom') onZoom(act.from, act.to);
    else if (act.kind === 'back') onBack();
    else {
      onBrush(act.brush);
      const selected = selectionOf(act.brush);
      if (selected)
        speak(
          `Selected: ${momentLabel(selected.from, stepMs)} to ${momentLabel(selected.to, stepMs)}. Enter shows it.`,
        );
      else if (act.brush.at !== null) speak(sayMoment(lines, act.brush.at, stepMs, measure));
    }
  };
  return { spoken, onKeyDown };
}

function sayMoment(lines: readonly ChartLine[], at: number, stepMs: number, { format }: Measure): string {
  const figures = lines.map((line) => {
    const value = line.average[pointAt(line, at)] ?? null;
    return `${line.name} ${value === null ? noData : format(value)}`;
  });
  return `${momentLabel(at, stepMs)}: ${figures.join(', ')}`;
}

function useDrag({ frame, brush, onBrush, onZoom }: RangePlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<number | null>(null);
  const timeAt = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect();
    if (!rect || rect.width === 0) return frame.from;
    const share = Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width));
    return frame.from + share * (frame.to - frame.from);
  };
  const end = () => {
    setFrom(null);
    onBrush({ at: brush.at, anchor: null });
  };
  return {
    box,
    onDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setFrom(event.clientX);
      const at = timeAt(event);
      onBrush({ at, anchor: at });
    },
    onMove(event: PointerEvent) {
      onBrush({ at: timeAt(event), anchor: from === null ? null : brush.anchor });
    },
    onUp(event: PointerEvent) {
      const selection = selectionOf({ at: timeAt(event), anchor: brush.anchor });
      const isDrag = from !== null && Math.abs(event.clientX - from) >= dragPixels;
      if (isDrag && selection) onZoom(selection.from, selection.to);
      else end();
      setFrom(null);
    },
    onLeave() {
      if (from === null) onBrush(noBrush);
    },
  };
}
