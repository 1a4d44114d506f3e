import type { Horizon } from '@homeport/contract/horizons';
import { noData } from '../text/format.ts';
import type { ChartSeries } from './chart-types.ts';
import type { Gapped } from './series.ts';
import { tickLabel } from './series.ts';

/**
 * The point to which a key moves the crosshair. null for any other key. `index` is -1 without a crosshair, which begins
 * at the newest point. `page` is the number of points that PageUp and PageDown pass.
 */
export function pointAfterKey(key: string, index: number, last: number, page: number): number | null {
  const now = index < 0 ? last : index;
  const steps: Record<string, number> = {
    ArrowLeft: now - 1,
    ArrowRight: now + 1,
    PageUp: now + page,
    PageDown: now - page,
    Home: 0,
    End: last,
  };
  const step = steps[key];
  return step === undefined ? null : Math.min(last, Math.max(0, step));
}

/** The values of one point, for a screen reader: "13:52: In 1.2 kB/s, Out no data". */
export function sayPoint(
  { times, values }: Gapped,
  at: number,
  series: readonly Pick<ChartSeries, 'label'>[],
  horizon: Horizon,
  format: (value: number) => string,
): string {
  const figures = series.map(({ label }, which) => {
    const value = values[which]?.[at] ?? null;
    return `${label} ${value === null ? noData : format(value)}`;
  });
  return `${tickLabel(times[at] ?? 0, horizon)}: ${figures.join(', ')}`;
}
