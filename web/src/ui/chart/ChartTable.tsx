import { noData } from '../format.ts';
import type { ChartSeries } from './chart-types.ts';
import { type Gapped, type Horizon, tickLabel } from './series.ts';

export interface ChartTableProps {
  title: string;
  horizon: Horizon;
  data: Gapped;
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The same values as a real table, newest first: for reading and for copying. */
export function ChartTable({ title, horizon, data, series, format }: ChartTableProps) {
  const rows = data.times.map((time, index) => ({ time, index })).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself, by keyboard too
    <section className="tblw charttable" aria-label={`${title} as a table`} tabIndex={0}>
      <table className="compact">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map((each) => (
              <th key={each.key} scope="col" className="num">
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
                  <td key={each.key} className={value === null ? 'num subtle' : 'num'}>
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
