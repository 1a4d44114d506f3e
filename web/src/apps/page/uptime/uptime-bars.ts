import type { UptimeBars } from '@homeport/contract/uptime/schema';
import { formatClock, formatDate, formatPercent, noData } from '../../../ui/text/format.ts';

type Bar = UptimeBars['bars'][number];

const dayMs = 86_400_000;
const checksOf = ({ up, down }: Bar) => up + down;

/** Percent of the checks of all bars that found the app up. Null without a check. */
export function shareUp({ bars }: Pick<UptimeBars, 'bars'>): number | null {
  const [up, all] = bars.reduce(([ups, checks], bar) => [ups + bar.up, checks + checksOf(bar)], [0, 0]);
  return all === 0 ? null : (100 * up) / all;
}

/** How a bar is drawn, and how high, from 0 to 1. Height and colour tell the same, so that none is needed alone. */
export function barLook(bar: Bar): { kind: 'up' | 'partly' | 'down' | 'none'; height: number } {
  const all = checksOf(bar);
  if (all === 0) return { kind: 'none', height: 0.15 };
  const share = bar.up / all;
  if (share === 1) return { kind: 'up', height: 1 };
  // The least outage is seen, and so is an app that was never up.
  const height = Math.min(0.85, Math.max(0.25, share));
  return { kind: share < 0.5 ? 'down' : 'partly', height };
}

/** `23 Nov 2026 at 14:00: 98.3 % of 60 checks found the app up`. */
export function saidOf(bar: Bar, at: number, stepMs: number): string {
  const moment = stepMs < dayMs ? `${formatDate(at)} at ${formatClock(at)}` : formatDate(at);
  const all = checksOf(bar);
  if (all === 0) return `${moment}: not checked`;
  return `${moment}: ${formatPercent((100 * bar.up) / all, 1)} of ${all} checks found the app up`;
}

/** The bars in words: the share, and the steps with a failed check, newest first and at most five. */
export function spoken(data: UptimeBars): string {
  const share = shareUp(data);
  if (share === null) return `Uptime: ${noData}.`;
  const failed = data.bars
    .map((bar, index) => ({ bar, at: data.from + index * data.stepMs }))
    .filter(({ bar }) => bar.down > 0)
    .reverse();
  const named = failed.slice(0, 5).map(({ bar, at }) => `${saidOf(bar, at, data.stepMs)}.`);
  const rest =
    failed.length > named.length ? [`${failed.length - named.length} earlier steps had failed checks.`] : [];
  const all = failed.length === 0 ? ['No check failed.'] : [...named, ...rest];
  return [`Uptime: ${formatPercent(share, 1)} of the checks found the app up.`, ...all].join(' ');
}
