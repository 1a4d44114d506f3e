import type { ChartSeries } from '@homeport/contract/charts/schema';
import { keptDays } from '@homeport/contract/horizons';
import { serverStatsEveryMs } from '@homeport/contract/limits';
import { formatDuration } from '../../ui/text/format.ts';

const twoDaysMs = keptDays.raw * 86_400_000;

/** What one point of the chart stands for, and why it is no finer. */
export function resolutionText(
  { from, to, source, stepMs }: Pick<ChartSeries, 'from' | 'to' | 'source' | 'stepMs'>,
  of: 'report' | 'check',
): string {
  if (source === 'single' && stepMs <= serverStatsEveryMs) return `one point is one ${of}`;
  const point = `one point is ${formatDuration(stepMs)}: the average, with the lowest and highest around it`;
  const isShort = to - from <= twoDaysMs && source !== 'single';
  return isShort ? `${point}. Single ${of}s are kept for ${keptDays.raw} days` : point;
}
