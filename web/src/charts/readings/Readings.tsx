import { IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { noData } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import styles from '../charts.module.css';
import { lineStyle } from '../lines/line-style.ts';
import { type ChartLine, pointAt, summaryOf } from '../lines/lines.ts';
import type { Measure } from '../lines/measures.ts';
import { momentLabel } from '../range/time-ticks.ts';

export interface ReadingsProps {
  lines: readonly ChartLine[];
  measure: Measure;
  at: number | null;
  stepMs: number;
  /** Takes a line out of the chart. The first line is what the page is about, and stays. */
  onRemove: (key: string) => void;
}

/** Each line with its value at the crosshair, or its newest one, and with its average, lowest and highest value. */
export function Readings({ lines, measure, at, stepMs, onRemove }: ReadingsProps) {
  const text = (value: number | null) => (value === null ? noData : measure.format(value));
  return (
    <div className={styles.readings}>
      <table>
        <thead>
          <tr>
            <th scope="col" className={at === null ? undefined : styles.moment}>
              {at === null ? 'Name' : momentLabel(at, stepMs)}
            </th>
            <th scope="col">{at === null ? 'newest' : 'here'}</th>
            <th scope="col">average</th>
            <th scope="col">lowest</th>
            <th scope="col">highest</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => {
            const { average, lowest, highest } = summaryOf(line);
            const index = at === null ? line.times.length - 1 : pointAt(line, at);
            return (
              <tr key={line.key}>
                <th scope="row">
                  <Stroke place={place} /> {line.name}
                  {place > 0 && (
                    <IconButton
                      label={`Take ${line.name} out`}
                      icon="x"
                      size="sm"
                      variant="ghost"
                      onClick={() => onRemove(line.key)}
                    />
                  )}
                </th>
                <td className={classNames(typography.numeric, typography.strong)}>
                  {text(line.average[index] ?? null)}
                </td>
                {[average, lowest, highest].map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three columns in a fixed order
                  <td key={column} className={typography.numeric}>
                    {text(value)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Stroke({ place }: { place: number }) {
  const { colour, dash } = lineStyle(place);
  return (
    <svg viewBox="0 0 18 8" width="18" height="8" aria-hidden="true">
      <path
        d="M0 4H18"
        stroke={`var(${colour})`}
        strokeWidth="2"
        style={{ strokeDasharray: `var(${dash})` }}
      />
    </svg>
  );
}
