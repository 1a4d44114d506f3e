import { pageLocale } from './locale.ts';

/**
 * How values are written. The page's locale decides separators and month names. The units are the
 * console's own. A missing value is `noData`, never 0, NaN or an empty cell.
 */
export const noData = 'no data';

const narrowSpace = '\u202f';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Maybe = number | null | undefined;

const missing = (value: Maybe): value is null | undefined =>
  value === null || value === undefined || !Number.isFinite(value);

function fixed(value: number, digits: number, locale = pageLocale): string {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** `83 %`, with a narrow space. */
export function formatPercent(value: Maybe, digits: 0 | 1 = 0, locale = pageLocale): string {
  return missing(value) ? noData : `${fixed(value, digits, locale)}${narrowSpace}%`;
}

/** Load averages: two decimals. */
export function formatLoad(value: Maybe, locale = pageLocale): string {
  return missing(value) ? noData : fixed(value, 2, locale);
}

/** Counts with grouped digits: `3,264`. */
export function formatCount(value: Maybe, locale = pageLocale): string {
  return missing(value) ? noData : new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value);
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Number and unit, in steps of 1024. One decimal under 100, dropped if it is 0. */
export function bytesParts(value: number, locale = pageLocale): { amount: string; unit: string } {
  let amount = value;
  let step = 0;
  // 1023.5 becomes 1 of the next unit, not "1024".
  while (Math.abs(amount) >= 1023.5 && step < byteUnits.length - 1) {
    amount /= 1024;
    step += 1;
  }
  const whole = step === 0 || Math.abs(amount) >= 100 || Number.isInteger(Number(amount.toFixed(1)));
  return { amount: fixed(amount, whole ? 0 : 1, locale), unit: byteUnits[step] ?? 'B' };
}

/** Bytes: `66.4 GB`. */
export function formatBytes(value: Maybe, locale = pageLocale): string {
  if (missing(value)) return noData;
  const { amount, unit } = bytesParts(value, locale);
  return `${amount} ${unit}`;
}

/** Bytes per second: `1.8 MB/s`. */
export function formatRate(value: Maybe, locale = pageLocale): string {
  return missing(value) ? noData : `${formatBytes(value, locale)}/s`;
}

/** Plan memory, always in MB. */
export function formatPlanMemory(memoryMb: number): string {
  return `${memoryMb} MB`;
}

/** Whole milliseconds: `18 ms`. Nothing takes no time, so less than one is `<1 ms`. */
export function formatLatency(ms: Maybe, locale = pageLocale): string {
  if (missing(ms)) return noData;
  return ms < 1 ? '<1 ms' : `${fixed(ms, 0, locale)} ms`;
}

/** US cents: `$4.50`, `$9`, `Free`. */
export function formatMoney(cents: number): string {
  if (cents === 0) return 'Free';
  return cents % 100 === 0 ? `$${cents / 100}` : `$${(cents / 100).toFixed(2)}`;
}

/** `12 Mar 2026` */
export function formatDate(at: Maybe, locale = pageLocale): string {
  if (missing(at)) return noData;
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
}

/** `09:41` */
export function formatClock(at: Maybe, locale = pageLocale): string {
  if (missing(at)) return noData;
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** `12 Mar 2026 at 09:41` */
export function formatDateTime(at: Maybe, locale = pageLocale): string {
  return missing(at) ? noData : `${formatDate(at, locale)} at ${formatClock(at, locale)}`;
}

/**
 * A moment beside now, with the day that it needs: `09:41` of today, `yesterday at 09:41`, `tomorrow at 09:41`, `12 Mar 2026 at 09:41`.
 * The calendar day counts and not the age, because "18:10" would be read as today's.
 */
export function formatWhen(at: Maybe, now: number, locale = pageLocale): string {
  if (missing(at)) return noData;
  const days = dayNumber(at) - dayNumber(now);
  if (days === 0) return formatClock(at, locale);
  if (days === -1) return `yesterday at ${formatClock(at, locale)}`;
  if (days === 1) return `tomorrow at ${formatClock(at, locale)}`;
  return formatDateTime(at, locale);
}

/** `09:41, 13 min ago`. Without the age where it is a day or more. */
export function formatWhenAndAge(at: Maybe, now: number, locale = pageLocale): string {
  if (missing(at) || now - at >= day) return missing(at) ? noData : formatWhen(at, now, locale);
  return `${formatWhen(at, now, locale)}, ${formatAgo(at, now, locale)}`;
}

/** Counts the calendar days of the reader's time zone, in which a day can have 23 or 25 hours. */
function dayNumber(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / day;
}

/**
 * Under a day `13 min ago`, otherwise the date and time. Clocks differ, so a time in the future reads `just
 * now`.
 */
export function formatAgo(at: Maybe, now: number, locale = pageLocale): string {
  if (missing(at)) return noData;
  const age = now - at;
  if (age < 5_000) return 'just now';
  if (age < minute) return `${Math.floor(age / 1000)} s ago`;
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  return formatDateTime(at, locale);
}

/** `41 days`, `5 h 12 min`, `2 min 14 s`, `9 s`. */
export function formatDuration(ms: Maybe): string {
  if (missing(ms)) return noData;
  const whole = Math.max(0, ms);
  if (whole >= 2 * day) return `${Math.floor(whole / day)} days`;
  if (whole >= hour) return join(Math.floor(whole / hour), 'h', Math.floor((whole % hour) / minute), 'min');
  if (whole >= minute)
    return join(Math.floor(whole / minute), 'min', Math.floor((whole % minute) / 1000), 's');
  return `${Math.floor(whole / 1000)} s`;
}

function join(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`;
}

/** The elapsed time of a step: `0:14`, `2:05`. */
export function formatElapsed(ms: Maybe): string {
  if (missing(ms)) return '';
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** For `<time datetime>` and titles. */
export function formatIso(at: number): string {
  return new Date(at).toISOString();
}

/** An IPv6 address in the short form of RFC 5952, which `URL` also writes. Any other text stays as it is. */
export function formatAddress(address: string): string {
  const url = `http://[${address}]`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address;
}
