import { readTaskSchedule } from '@homeport/contract/apps/cron/schedule';
import type { CronTasks } from '@homeport/contract/apps/cron/schema';
import { formatCount, formatDuration } from '../../../ui/text/format.ts';
import { nextRun, scheduleWarnings } from './schedule-text.ts';

export const runOnText = 'The app is stopped, and its tasks run on.';

/** A stopped app's tasks are started all the same. */
export function runsOnWhileStopped({ tasks, allOff }: CronTasks, stopped: boolean): boolean {
  return stopped && !allOff && tasks.some(({ suspended }) => !suspended);
}

/** What the folded list says of itself: "3 tasks, next in 2 h 5 min, 1 suspended". */
export function tasksText({ tasks, more, allOff, timeZone }: CronTasks, now: number): string {
  const running = tasks.filter(({ suspended }) => !suspended);
  const suspended = tasks.length - running.length;
  const schedules = running.map(({ schedule }) => readTaskSchedule(schedule));
  const next = Math.min(...schedules.map((each) => nextRun(each, timeZone, now) ?? Number.POSITIVE_INFINITY));
  const parts = [
    counted(tasks.length + more),
    allOff && 'all off',
    // The next run may be one of a task that is not among those that were read.
    !allOff && more === 0 && Number.isFinite(next) && `next in ${waitText(next - now)}`,
    !allOff && suspended > 0 && suspendedText(suspended, tasks.length, more),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** How many tasks are not suspended and may not work on the server. */
export function tasksWarned({ tasks }: CronTasks): number {
  const running = tasks.filter(({ suspended }) => !suspended);
  return running.filter(({ schedule }) => scheduleWarnings[readTaskSchedule(schedule).kind] !== null).length;
}

/** Of the tasks that were not read nobody knows whether they are suspended. */
function suspendedText(suspended: number, read: number, more: number): string {
  if (more > 0) return `at least ${formatCount(suspended)} suspended`;
  if (suspended < read) return `${formatCount(suspended)} suspended`;
  return read === 1 ? 'suspended' : 'all suspended';
}

const counted = (tasks: number) => (tasks === 1 ? '1 task' : `${formatCount(tasks)} tasks`);

const minute = 60_000;

/** In whole minutes, as the line is written anew once a minute. */
const waitText = (ms: number) =>
  ms < minute ? 'less than a minute' : formatDuration(Math.round(ms / minute) * minute);
