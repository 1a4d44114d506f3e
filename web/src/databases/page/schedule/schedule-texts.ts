import { nextRuns, readCron } from '@homeport/contract/backups/cron';
import type { BackupFailure, RestoreTest } from '@homeport/contract/backups/facts';
import type { BackupRun, BackupSchedule } from '@homeport/contract/backups/schema';
import { scheduleFormOf } from './schedule-form.ts';

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** When a schedule runs: "Every day at 03:17". */
export function rhythmText(schedule: BackupSchedule): string {
  const { rhythm, minute, time, weekday } = scheduleFormOf(schedule, 0);
  switch (rhythm) {
    case 'hourly':
      return `Every hour at minute ${minute}`;
    case 'daily':
      return `Every day at ${time}`;
    case 'weekly':
      return `Every ${weekdays[Number(weekday)] ?? 'week'} at ${time}`;
    case 'custom':
      return `By ${schedule.cron}`;
  }
}

/** How many backups stay, and how long. */
export function keepText({ keepCount, keepDays }: Pick<BackupSchedule, 'keepCount' | 'keepDays'>): string {
  const count = keepCount === 1 ? 'The newest one' : `The newest ${keepCount}`;
  if (keepDays === null) return count;
  return `${count}, for ${keepDays === 1 ? '1 day' : `${keepDays} days`}`;
}

export function targetText({ target }: Pick<BackupSchedule, 'target'>): string {
  if (target.kind === 'server') return 'On the server alone';
  return `On the server, and in ${target.bucket}${target.prefix === '' ? '' : `/${target.prefix}`} at ${target.endpoint}`;
}

export const restoreTestTexts: Record<RestoreTest, string> = {
  never: 'Never by itself',
  weekly: 'Once a week',
  each: 'After each backup',
};

/** The next runs of a cron expression; none for one that is wrong. */
export function runsAhead(cron: string, timeZone: string, now: number, count = 3): number[] {
  const read = readCron(cron);
  return read.kind === 'read' ? nextRuns(read.cron, timeZone, now, count) : [];
}

const failureTexts: Record<BackupFailure, string> = {
  busy: 'Other work on the database went on',
  no_room: 'The disk has too little room',
  export_failed: 'The export failed',
  client_missing: 'rclone is missing on the server',
  copy_failed: 'The copy failed; the dump is on the server',
  prune_failed: 'Old copies could not be removed; the new copy is there',
  test_failed: 'The restore test failed; the dump is on the server',
  ended_early: 'It ended early',
};

/** How a run went, in a few words. */
export function runText({ state, failure }: Pick<BackupRun, 'state' | 'failure'>): string {
  if (state === 'running') return 'Goes on';
  if (state === 'succeeded') return 'Made';
  return failure === null ? 'Failed' : failureTexts[failure];
}
