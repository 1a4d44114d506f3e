import type { Horizon } from '@homeport/contract/horizons';
import { noData } from '../text/format.ts';
import { type Gap, horizonChoices, type Value } from './series.ts';

export interface Described {
  title: string;
  horizon: Horizon;
  series: readonly { label: string; values: readonly Value[] }[];
  gaps: readonly Gap[];
  format: (value: number) => string;
}

/** The chart in words: title, horizon, each series' newest, lowest and highest value, and the gaps. */
export function describeChart({ title, horizon, series, gaps, format }: Described): string {
  const name = horizonChoices.find((each) => each.value === horizon)?.label ?? horizon;
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label}: ${noData}.`;
    const newest = values.at(-1);
    const now = newest === null || newest === undefined ? noData : format(newest);
    return `${label}: newest ${now}, lowest ${format(Math.min(...known))}, highest ${format(Math.max(...known))}.`;
  });
  const holes =
    gaps.length === 0
      ? 'No gaps.'
      : gaps.length === 1
        ? '1 gap without data.'
        : `${gaps.length} gaps without data.`;
  return [`${title}, ${name}.`, ...parts, holes].join(' ');
}
