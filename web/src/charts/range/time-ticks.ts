import { axisFormats } from '../../ui/chart/series.ts';
import { pageLocale } from '../../ui/text/locale.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const ticksAtMost = 8;
const hours = [10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour];
const days = [1, 2, 4, 7, 14];
const months = [1, 2, 3];

/** Round moments of the reader's time zone inside a range, at most eight. */
export function timeTicks(from: number, to: number): { at: number; label: string }[] {
  const fits = (stepMs: number) => (to - from) / stepMs <= ticksAtMost;
  const start = new Date(from);
  start.setHours(0, 0, 0, 0);
  const step = hours.find(fits);
  if (step !== undefined) return walk(from, to, (index) => start.getTime() + index * step, axisFormats.clock);
  const dayStep = days.find((count) => fits(count * day));
  if (dayStep !== undefined)
    return walk(
      from,
      to,
      (index) => moved(start, (date) => date.setDate(date.getDate() + index * dayStep)),
      axisFormats.day,
    );
  start.setDate(1);
  const monthStep = months.find((count) => fits(count * 31 * day)) ?? 3;
  return walk(
    from,
    to,
    (index) => moved(start, (date) => date.setMonth(date.getMonth() + index * monthStep)),
    axisFormats.month,
  );
}

/** `step` makes the moments, ascending, beginning before the range. */
function walk(
  from: number,
  to: number,
  step: (index: number) => number,
  label: Intl.DateTimeFormatOptions,
): { at: number; label: string }[] {
  const format = new Intl.DateTimeFormat(pageLocale, label);
  const ticks: { at: number; label: string }[] = [];
  for (let index = 0; index < 200; index += 1) {
    const at = step(index);
    if (at > to) break;
    if (at >= from) ticks.push({ at, label: format.format(at) });
  }
  return ticks;
}

function moved(start: Date, move: (date: Date) => void): number {
  const date = new Date(start);
  move(date);
  return date.getTime();
}

/** A point's moment, as long as its step needs: `23 Nov, 09:43`, `23 Nov 2026`. */
export function momentLabel(at: number, stepMs: number): string {
  const options =
    stepMs < day
      ? { ...axisFormats.day, ...axisFormats.clock }
      : { ...axisFormats.day, year: 'numeric' as const };
  return new Intl.DateTimeFormat(pageLocale, options).format(at);
}
