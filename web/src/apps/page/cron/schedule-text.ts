import type { TaskSchedule } from '@homeport/contract/apps/cron/schedule';
import { type Cron, clockAt, nextRuns } from '@homeport/contract/backups/cron';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** When a task runs, by the server’s clock: "Every day at 03:00". Null for what is not said in a few words. */
export function rhythmText({
  minutes,
  hours,
  days,
  months,
  weekdays: onWeekdays,
  eitherDay,
}: Cron): string | null {
  const [minute = 0] = minutes;
  const [hour = 0] = hours;
  if (months.size < 12 || eitherDay) return null;
  const everyDay = days.size === 31 && onWeekdays.size === 7;
  if (minutes.size > 1 || hours.size === 24) {
    const every = 60 / minutes.size;
    if (!everyDay || hours.size < 24) return null;
    if (minutes.size === 1) return `Every hour at minute ${minute}`;
    if (![...minutes].every((at) => at % every === 0)) return null;
    return every === 1 ? 'Every minute' : `Every ${every} minutes`;
  }
  if (hours.size > 1) return null;
  const time = `${twoDigits(hour)}:${twoDigits(minute)}`;
  if (everyDay) return `Every day at ${time}`;
  if (days.size === 31) return onWeekday(onWeekdays, time);
  const [day = 1] = days;
  return days.size === 1 && onWeekdays.size === 7 ? `On day ${day} of each month at ${time}` : null;
}

function onWeekday(chosen: ReadonlySet<number>, time: string): string | null {
  const [first = 0] = chosen;
  if (chosen.size === 1) return `Every ${weekdays[first]} at ${time}`;
  const working = chosen.size === 5 && !chosen.has(0) && !chosen.has(6);
  return working ? `Monday to Friday at ${time}` : null;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** The next run. Null where the schedule, or the server’s clock, is not known, or where no day of it comes. */
export function nextRun(schedule: TaskSchedule, timeZone: string | null, now: number): number | null {
  if (schedule.kind !== 'times' || timeZone === null) return null;
  return nextRuns(schedule.cron, timeZone, now, 1)[0] ?? null;
}

/** What the server’s clock shows at a time, where the reader’s shows something else: "03:00". */
export function onServerClock(timeZone: string, at: number): string | null {
  const [server, here] = [new Date(clockAt(timeZone, at)), new Date(at)];
  if (server.getUTCHours() === here.getHours() && server.getUTCMinutes() === here.getMinutes()) return null;
  return `${twoDigits(server.getUTCHours())}:${twoDigits(server.getUTCMinutes())}`;
}

/** Why a schedule that Dokku took may not work on the server. */
export const scheduleWarnings: Record<TaskSchedule['kind'], string | null> = {
  times: null,
  unread: null,
  interval:
    'cron knows no @every. It may refuse the whole crontab for it, and then no schedule of any app on this server changes any more, and each deploy ends with an error. Write */5 * * * * instead, and deploy.',
  any: 'cron knows no question mark. It may refuse the whole crontab for it, and then no schedule of any app on this server changes any more, and each deploy ends with an error. Write * instead, and deploy.',
  zone: 'This task never runs: a crontab takes the time zone for a variable, and the rest of the line for its value. Write the time by the server’s clock, and deploy.',
};
