// Cron expressions as crontab(5) has them, and when they run next. Only digits: the names of days and months are left out,
// because cron programs do not agree on them.

/** A cron expression that was understood. Each set holds the numbers at which the field is true. */
export type Cron = {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Of the day of the month and the day of the week, one is enough where both are given (crontab(5)). */
  readonly eitherDay: boolean;
};

export type ReadCron = { kind: 'read'; cron: Cron } | { kind: 'wrong'; message: string };

export const cronCharacters = 100;
/** Two runs of one schedule are at least so far apart. */
export const minutesBetweenRuns = 15;

const fields = [
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'day of the month', first: 1, last: 31 },
  { name: 'month', first: 1, last: 12 },
  // 7 is Sunday too.
  { name: 'day of the week', first: 0, last: 7 },
] as const;

/** Reads the cron expression of a backup, such as `17 3 * * *`. */
export function readCron(text: string): ReadCron {
  if (text.length > cronCharacters)
    return wrong(`A schedule has at most ${cronCharacters} characters, such as 17 3 * * *.`);
  const read = readFields(text);
  if (typeof read === 'string') return wrong(read);
  const { minutes, days, months, eitherDay } = read;
  if (isTooOften(minutes)) return wrong(`Leave at least ${minutesBetweenRuns} minutes between two backups.`);
  if (!eitherDay && !hasDay(days, months)) return wrong('There is no such day in the year.');
  return { kind: 'read', cron: read };
}

/** Reads any cron expression of five fields. Null for what is none, or too long. */
export function readTimes(text: string): Cron | null {
  const read = text.length > cronCharacters ? null : readFields(text);
  return typeof read === 'string' ? null : read;
}

/** The fields, or what is wrong with them. */
function readFields(text: string): Cron | string {
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length !== fields.length)
    return 'Write five fields: minute, hour, day of the month, month, day of the week, such as 17 3 * * *.';
  const sets: Set<number>[] = [];
  for (const [at, field] of fields.entries()) {
    const set = readField(words[at] ?? '', field.first, field.last);
    if (set === null)
      return `The ${field.name} is *, a number from ${field.first} to ${field.last}, a list, a range such as 1-5, or a step such as */2.`;
    sets.push(set);
  }
  const [minutes = empty, hours = empty, days = empty, months = empty, weekdays = empty] = sets;
  if (weekdays.delete(7)) weekdays.add(0);
  const eitherDay = !words[2]?.startsWith('*') && !words[4]?.startsWith('*');
  return { minutes, hours, days, months, weekdays, eitherDay };
}

const empty = new Set<number>();
const wrong = (message: string): ReadCron => ({ kind: 'wrong', message });

function readField(text: string, first: number, last: number): Set<number> | null {
  const set = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...more] = part.split('/');
    if (more.length > 0) return null;
    const ends = range === '*' ? [first, last] : range.split('-').map(wholeNumber);
    const [from, to = step === undefined ? from : last] = ends;
    const by = step === undefined ? 1 : wholeNumber(step);
    if (
      ends.length > 2 ||
      !isWithin(from, first, last) ||
      !isWithin(to, first, last) ||
      !isWithin(by, 1, last)
    )
      return null;
    if (from > to) return null;
    for (let value = from; value <= to; value += by) set.add(value);
  }
  return set;
}

const wholeNumber = (text: string): number => (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN);
const isWithin = (value: number | undefined, first: number, last: number): value is number =>
  value !== undefined && value >= first && value <= last;

/** The minutes of an hour, and from its last one to the first of the next. */
function isTooOften(minutes: ReadonlySet<number>): boolean {
  const sorted = [...minutes].sort((a, b) => a - b);
  return sorted.some((minute, at) => (sorted[at + 1] ?? (sorted[0] ?? 0) + 60) - minute < minutesBetweenRuns);
}

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const hasDay = (days: ReadonlySet<number>, months: ReadonlySet<number>): boolean =>
  [...months].some((month) => [...days].some((day) => day <= (longestMonths[month - 1] ?? 0)));

/** The 29th of February comes again within eight years. */
const daysAhead = 8 * 366 + 1;
const dayMs = 86_400_000;

/**
 * The next runs after a time, in order. In the hour that a clock skips, a run comes as much later; in the hour that a clock repeats,
 * it comes once.
 *
 * @param zone an IANA name, or an offset such as `+02:00`; an unknown one counts as UTC
 * @param after epoch milliseconds
 */
export function nextRuns(cron: Cron, zone: string, after: number, count: number): number[] {
  const offsetAt = offsetsOf(zone);
  const found: number[] = [];
  const localNow = after + offsetAt(after);
  const begin = Math.floor(localNow / dayMs) * dayMs;
  for (let day = 0; day < daysAhead && found.length < count; day += 1) {
    const midnight = begin + day * dayMs;
    const search = { after, from: localNow - jumpAtMostMs, count, found };
    if (isDay(cron, new Date(midnight))) addRuns(cron, midnight, offsetAt, search);
  }
  return found;
}

/** What a clock shows at a time, as epoch milliseconds of a clock in UTC. */
export const clockAt = (zone: string, at: number): number => at + offsetsOf(zone)(at);

/** No zone sets its clock further than this at once, but for those that skipped a day. */
const jumpAtMostMs = 3 * 3_600_000;

/** `from`: what the zone's clock showed a while before `after`. */
type Search = { after: number; from: number; count: number; found: number[] };

function addRuns(cron: Cron, midnight: number, offsetAt: (at: number) => number, search: Search): void {
  const { after, from, count, found } = search;
  for (const hour of sorted(cron.hours)) {
    for (const minute of sorted(cron.minutes)) {
      const local = midnight + (hour * 60 + minute) * 60_000;
      // To ask for the zone's clock costs most, and a task may be due each minute.
      if (local < from) continue;
      const at = local - offsetAt(local - offsetAt(local));
      if (at > Math.max(after, found.at(-1) ?? 0)) found.push(at);
      if (found.length === count) return;
    }
  }
}

const sorted = (set: ReadonlySet<number>) => [...set].sort((a, b) => a - b);

function isDay({ months, days, weekdays, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const isOfMonth = days.has(date.getUTCDate());
  const isOfWeek = weekdays.has(date.getUTCDay());
  return eitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
}

/** How far the zone's clock is ahead of UTC at a time, in milliseconds. */
function offsetsOf(zone: string): (at: number) => number {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (fixed) {
    const offset = (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000 * (fixed[1] === '-' ? -1 : 1);
    return () => offset;
  }
  const clock = clockOf(zone);
  return (at) => {
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  };
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const options = {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
}
