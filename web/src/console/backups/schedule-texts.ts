import { formatClock } from '../../ui/text/format.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

/** The moment of a schedule on the day of `now`, as this browser's clock shows it: "03:00". */
export const clockOf = (dailyAt: number, now: number): string =>
  formatClock(now - (now % (dayMinutes * minuteMs)) + dailyAt * minuteMs);

/** The hours of this browser's day, each in minutes after a midnight UTC. One that is no whole hour here is offered too. */
export function hoursOfDay(now: number, present: number | null): { dailyAt: number; text: string }[] {
  const ahead = -new Date(now).getTimezoneOffset();
  const whole = Array.from({ length: 24 }, (_, hour) => modulo(hour * 60 - ahead));
  const offered = present === null || whole.includes(present) ? whole : [present, ...whole];
  return offered.map((dailyAt) => ({ dailyAt, text: clockOf(dailyAt, now) }));
}

const modulo = (minutes: number) => ((minutes % dayMinutes) + dayMinutes) % dayMinutes;
