import { chartSeriesAtMost } from '@homeport/contract/charts/facts';
import type { ChartSeries } from '@homeport/contract/charts/schema';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { Totals } from './measures.ts';

/** A server or an app that a chart shows or could show. */
export interface Subject {
  /** As the address of the page names it. */
  key: string;
  name: string;
  totals: Totals | null;
  /** Null where nothing was measured ever. */
  series: UseQueryOptions<ChartSeries> | null;
}

/** The keys of `with` in the address, as many as a chart has lines for beside its own. */
export const keysOf = (text: string | undefined): string[] =>
  [...new Set((text ?? '').split(',').filter(Boolean))].slice(0, chartSeriesAtMost - 1);
