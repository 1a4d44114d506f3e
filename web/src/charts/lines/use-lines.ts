import type { ChartSeries } from '@homeport/contract/charts/schema';
import { serverStatsEveryMs } from '@homeport/contract/limits';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { type ChartLine, lineOf } from './lines.ts';
import type { Measure } from './measures.ts';
import type { Subject } from './subject.ts';

export interface Lines {
  lines: ChartLine[];
  /** What the first answer says of range and resolution. Undefined until one is there. */
  first: ChartSeries | undefined;
  /** What is shown belongs to an earlier choice, until the answer arrives. */
  stale: boolean;
  error: Error | null;
  retry: () => void;
}

/** Reads the series of each subject. A change of the range keeps the earlier lines until the new ones arrive. */
export function useLines(subjects: readonly Subject[], measure: Measure): Lines {
  const read = subjects.flatMap((subject) =>
    subject.series ? [{ ...subject, series: subject.series }] : [],
  );
  const results = useQueries({
    queries: read.map(({ series }) => ({
      ...series,
      placeholderData: keepPreviousData<ChartSeries>,
      refetchInterval: serverStatsEveryMs,
    })),
  });
  return {
    lines: read.flatMap((subject, index) => {
      const data = results[index]?.data;
      return data ? [lineOf(subject, data, measure, subject.totals)] : [];
    }),
    first: results.find(({ data }) => data)?.data,
    stale: results.some(({ isPlaceholderData }) => isPlaceholderData),
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
    retry: () => {
      for (const result of results) void result.refetch();
    },
  };
}
