import { chartSeriesAtMost } from '@homeport/contract/charts/facts';
import type { ChartSeries } from '@homeport/contract/charts/schema';
import { useState } from 'react';
import { Button, IconButton } from '../ui/button/Button.tsx';
import { Checkbox } from '../ui/form/Choice.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { Segments } from '../ui/form/Segments.tsx';
import styles from './charts.module.css';
import type { Measure } from './lines/measures.ts';
import type { Subject } from './lines/subject.ts';
import { RangeForm } from './range/RangeForm.tsx';
import { presets, type ShownRange } from './range/range.ts';

/** What a person chose, and the ways to choose. Each way leads to an address. */
export interface ChartChoice {
  measureName: string;
  measures: Readonly<Record<string, Measure>>;
  range: ShownRange;
  /** What the page is about first, then what it is compared with. */
  subjects: readonly Subject[];
  /** What could be compared. */
  others: readonly Pick<Subject, 'key' | 'name'>[];
  onMeasure: (name: string) => void;
  onRange: (range: ShownRange) => void;
  onCompare: (keys: string[]) => void;
}

interface ChartBarProps extends ChartChoice {
  /** The range of the present answer. */
  shown: Pick<ChartSeries, 'from' | 'to'> | undefined;
  /** No further line has room. */
  full: boolean;
  asTable: boolean;
  setAsTable: (asTable: boolean) => void;
  withMarks: boolean;
  setWithMarks: (withMarks: boolean) => void;
}

const own = 'own';

/** What the chart shows: the range, the measure and what is compared. */
export function ChartBar(props: ChartBarProps) {
  const { range, shown, measures, measureName, subjects, others, full, asTable, withMarks } = props;
  const [typing, setTyping] = useState(false);
  const preset = presets.find(({ seconds }) => range.to === null && seconds === range.spanSeconds);
  const compared = subjects.slice(1).map(({ key }) => key);
  return (
    <>
      <div className={styles.bar}>
        <Segments
          legend="Range"
          value={preset?.value ?? own}
          options={presets}
          onChange={(value) => {
            const seconds = presets.find((each) => each.value === value)?.seconds;
            if (seconds !== undefined) props.onRange({ spanSeconds: seconds, to: null });
          }}
        />
        <Button
          size="sm"
          variant="ghost"
          icon="clock"
          aria-expanded={typing}
          onClick={() => setTyping(!typing)}
        >
          From and to
        </Button>
        {range.to !== null && (
          <Button
            size="sm"
            icon="follow"
            onClick={() => props.onRange({ spanSeconds: range.spanSeconds, to: null })}
          >
            Back to now
          </Button>
        )}
        <select
          className={controlsStyles.select}
          aria-label="Measure"
          value={measureName}
          onChange={(event) => props.onMeasure(event.currentTarget.value)}
        >
          {Object.entries(measures).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        {others.length > 0 && (
          <select
            className={controlsStyles.select}
            aria-label="Compare with"
            value=""
            disabled={full}
            onChange={(event) => props.onCompare([...compared, event.currentTarget.value])}
          >
            <option value="">
              {full ? `A chart has at most ${chartSeriesAtMost} lines` : 'Compare with…'}
            </option>
            {others.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        )}
        <div className={styles.end}>
          <Checkbox
            label="Marks"
            checked={withMarks}
            onChange={(event) => props.setWithMarks(event.currentTarget.checked)}
          />
          <IconButton
            label={asTable ? 'Show as a chart' : 'Show as a table'}
            icon={asTable ? 'chart' : 'table'}
            aria-pressed={asTable}
            onClick={() => props.setAsTable(!asTable)}
          />
        </div>
      </div>
      {typing && shown && (
        // Of a range that follows the present moment, what is typed stays.
        <RangeForm
          key={`${range.spanSeconds} ${range.to}`}
          from={(range.to ?? shown.to) - range.spanSeconds * 1_000}
          to={range.to ?? shown.to}
          onShow={props.onRange}
        />
      )}
    </>
  );
}
