import type { ChartMarks } from '@homeport/contract/charts/schema';
import { messages } from '@homeport/contract/states/messages';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Skeleton } from '../ui/feedback/States.tsx';
import { Lamp } from '../ui/feedback/Status.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import typography from '../ui/text/typography.module.css';
import styles from './charts.module.css';
import { type ChartLine, summaryOf } from './lines/lines.ts';
import type { Measure } from './lines/measures.ts';
import { Marks } from './marks/Marks.tsx';
import { type Brush, noBrush } from './plot/brush.ts';
import type { Frame } from './plot/RangeLines.tsx';
import { RangePlot } from './plot/RangePlot.tsx';
import { RangeTable } from './readings/RangeTable.tsx';
import { Readings } from './readings/Readings.tsx';

interface ChartBodyProps {
  title: string;
  lines: readonly ChartLine[];
  frame: Frame | undefined;
  measure: Measure;
  stepMs: number;
  asTable: boolean;
  stale: boolean;
  /** Whether any of the subjects has ever been measured. */
  measured: boolean;
  marks: ChartMarks | undefined;
  onRemove: (key: string) => void;
  onZoom: (from: number, to: number) => void;
  onBack: () => void;
}

/** The readings and the plot, or the table in its place. */
export function ChartBody(props: ChartBodyProps) {
  const { title, lines, frame, measure, stepMs, asTable, stale, measured, marks } = props;
  const [brush, setBrush] = useState<Brush>(noBrush);
  if (!measured) return <Nothing>Nothing was ever measured here.</Nothing>;
  if (!frame)
    return (
      <div className={styles.notice}>
        <Skeleton width="80%" height="20rem" />
      </div>
    );
  if (lines.every(({ average }) => average.every((value) => value === null)))
    return <Nothing>Nothing was measured in this range.</Nothing>;
  return (
    <>
      <Readings {...{ lines, measure, stepMs }} at={brush.at} onRemove={props.onRemove} />
      {asTable ? (
        <RangeTable {...{ title, lines, stepMs, measure }} marks={marks?.marks ?? []} />
      ) : (
        <div className={classNames(styles.area, stale && styles.stale)}>
          {marks && <Marks marks={marks} frame={frame} />}
          <RangePlot
            {...{ lines, frame, stepMs, measure, brush }}
            label={describe(title, lines, measure)}
            onBrush={setBrush}
            onZoom={(from, to) => {
              setBrush(noBrush);
              props.onZoom(from, to);
            }}
            onBack={props.onBack}
          />
        </div>
      )}
      {!asTable && (
        <div className={classNames(panelStyles.foot, styles.foot)}>
          <div className={styles.keys}>
            <span>
              <kbd>←</kbd> <kbd>→</kbd> point
            </span>
            <span>
              <kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd> select
            </span>
            <span>
              <kbd>Enter</kbd> show the selection
            </span>
            <span>
              <kbd>Esc</kbd> back
            </span>
            {marks && marks.more > 0 && <span>{marks.more} older marks are left out</span>}
          </div>
        </div>
      )}
    </>
  );
}

function Nothing({ children }: { children: string }) {
  return (
    <div className={styles.notice}>
      <Lamp state="nodata" size={18} />
      <b className={typography.strong}>{messages.noData}</b>
      <span className={typography.subtle}>{children}</span>
    </div>
  );
}

/** The chart in words: of each line the average, the lowest and the highest value. */
function describe(title: string, lines: readonly ChartLine[], { format }: Measure): string {
  const parts = lines.map((line) => {
    const { average, lowest, highest } = summaryOf(line);
    if (average === null || lowest === null || highest === null) return `${line.name}: ${messages.noData}.`;
    return `${line.name}: average ${format(average)}, lowest ${format(lowest)}, highest ${format(highest)}.`;
  });
  return [`${title}.`, ...parts].join(' ');
}
