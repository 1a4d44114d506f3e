import type { Horizon } from '@homeport/contract/horizons';
import { classNames } from '../class-names.ts';
import tableFrameStyles from '../table/table-frame.module.css';
import { noData } from '../text/format.ts';
import typography from '../text/typography.module.css';
import chartStyles from './chart.module.css';
import type { ChartSeries } from './chart-types.ts';
import { type Gapped, tickLabel } from './series.ts';

export interface ChartTableProps {
  title: string;
  horizon: Horizon;
  data: Gapped;
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The chart's values as a table, newest first, for reading and copying. */
export function ChartTable({ title, horizon, data, series, format }: ChartTableProps) {
  const rows = data.times.map((time, index) => ({ time, index })).reverse();
  return (
    <section
      className={classNames(tableFrameStyles.scroller, chartStyles.table)}
      aria-label={`${title} as a table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself, by keyboard too
      tabIndex={0}
    >
      <table className={tableFrameStyles.compact}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map((each) => (
              <th key={each.key} scope="col" className={typography.numeric}>
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, index }) => (
            <tr key={time}>
              <td>{tickLabel(time, horizon)}</td>
              {series.map((each, which) => {
                const value = data.values[which]?.[index] ?? null;
                return (
                  <td
                    key={each.key}
                    className={
                      value === null ? classNames(typography.numeric, typography.subtle) : typography.numeric
                    }
                  >
                    {value === null ? noData : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
