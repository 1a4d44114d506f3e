import { type Cron, readTimes } from '../../backups/cron.ts';

/**
 * A schedule of app.json. Dokku checks it by a library that takes more than cron does, and hands it to the server's cron as it stands.
 * `interval` (`@every 5m`) and `any` (`?`) are no lines of a crontab. `zone` (`CRON_TZ=…`) is one, and sets a variable in place of
 * starting something. `unread`: nothing that is understood here; it may run.
 */
export type TaskSchedule =
  | { readonly kind: 'times'; readonly cron: Cron }
  | { readonly kind: 'interval' | 'any' | 'zone' | 'unread' };

const named: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

export function readTaskSchedule(text: string): TaskSchedule {
  const schedule = text.trim().toLowerCase();
  if (schedule.startsWith('tz=') || schedule.startsWith('cron_tz=')) return { kind: 'zone' };
  if (schedule.startsWith('@every')) return { kind: 'interval' };
  const words = (named.get(schedule) ?? schedule).split(' ').filter((word) => word !== '');
  if (words.includes('?')) return { kind: 'any' };
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = words;
  const fields = [minute, hour, day, numbered(month, months, 1), numbered(weekday, weekdays, 0), ...more];
  const cron = readTimes(fields.join(' '));
  return cron === null ? { kind: 'unread' } : { kind: 'times', cron };
}

/** A field with numbers in place of its names. */
function numbered(field: string, names: readonly string[], first: number): string {
  return field
    .split(/([,\-/])/)
    .map((part) => (names.includes(part) ? String(names.indexOf(part) + first) : part))
    .join('');
}
