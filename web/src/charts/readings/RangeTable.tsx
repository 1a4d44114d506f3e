import type { ChartMark } from '@homeport/contract/charts/schema';
import { classNames } from '../../ui/class-names.ts';
import tableFrameStyles from '../../ui/table/table-frame.module.css';
import { noData } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import styles from '../charts.module.css';
import { type ChartLine, momentsOf, pointAt } from '../lines/lines.ts';
import type { Measure } from '../lines/measures.ts';
import { MarkLine } from '../marks/Marks.tsx';
import { momentLabel } from '../range/time-ticks.ts';

export interface RangeTableProps {
  title: string;
  lines: readonly ChartLine[];
  stepMs: number;
  measure: Measure;
  marks: readonly ChartMark[];
}

/** The chart as a table, newest first, and what happened meanwhile as a list. */
export function RangeTable({ title, lines, stepMs, measure: { format }, marks }: RangeTableProps) {
  return (
    <>
      <section
        className={classNames(tableFrameStyles.scroller, styles.table)}
        aria-label={`${title} as a table`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself, by keyboard too
        tabIndex={0}
      >
        <table className={tableFrameStyles.compact}>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {lines.map(({ key, name }) => (
                <th key={key} scope="col" className={typography.numeric}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {momentsOf(lines)
              .reverse()
              .map((at) => (
                <tr key={at}>
                  <td>{momentLabel(at, stepMs)}</td>
                  {lines.map((line) => (
                    <td key={line.key} className={typography.numeric}>
                      {cellText(line, at, format)}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
      {marks.length > 0 && (
        <ul className={styles.markList} aria-label="What happened in this range">
          {marks.map((mark) => (
            <MarkLine key={mark.id} mark={mark} />
          ))}
        </ul>
      )}
    </>
  );
}

/** `26 % (10 % to 88 %)`, or the average alone where nothing else is kept or all are equal. */
function cellText(line: ChartLine, at: number, format: (value: number) => string): string {
  const index = pointAt(line, at);
  const [average, lowest, highest] = [line.average, line.lowest, line.highest].map(
    (values) => values[index] ?? null,
  );
  if (average === null || average === undefined) return noData;
  if (
    lowest === null ||
    highest === null ||
    lowest === undefined ||
    highest === undefined ||
    lowest === highest
  )
    return format(average);
  return `${format(average)} (${format(lowest)} to ${format(highest)})`;
}
