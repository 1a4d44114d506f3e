import { serverStatsEveryMs } from '@homeport/contract/limits';
import type { DatabaseStats } from '@homeport/contract/stats/schema';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { problemText } from '../data/problem-text.ts';
import { useHorizon } from '../ui/chart/ChartGroup.tsx';
import type { ChartData } from '../ui/chart/chart-types.ts';
import { usageData } from './usage-series.ts';

/**
 * What the containers of an app or of a database use, at the last report (`latest`: null before the first one) and over the
 * chosen horizon (`data`, for a Chart).
 */
export function useUsage<Stats extends Pick<DatabaseStats, 'timeseries'>>(
  query: UseQueryOptions<{ stats: Stats | null }>,
): { latest: Stats | null | undefined; data: ChartData } {
  const [horizon] = useHorizon('usage');
  const stats = useQuery({ ...query, refetchInterval: serverStatsEveryMs });
  const latest = stats.data?.stats;
  return { latest, data: dataOf() };

  function dataOf(): ChartData {
    if (latest) return usageData(latest.timeseries, horizon);
    if (latest === null) return { state: 'empty' };
    if (!stats.error) return { state: 'loading' };
    return { state: 'failed', reason: problemText(stats.error), onRetry: () => void stats.refetch() };
  }
}
