import type { Value } from './series.ts';

export interface ChartSeries {
  key: string;
  label: string;
  /** The number of the series colour among the tokens, 1 to 6. */
  colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** Fills the area under the line. */
  area?: boolean;
  /** One value per time. null for a missing value. */
  values: readonly Value[];
}

export type ChartData =
  | { state: 'loading' }
  | { state: 'empty' }
  | { state: 'failed'; reason: string; onRetry: () => void }
  /** `times`: epoch milliseconds, ascending. */
  | { state: 'ready'; times: readonly number[]; series: readonly ChartSeries[] };
