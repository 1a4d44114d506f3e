import type { Backups, ServerSchedule } from '@homeport/contract/backups/schema';
import type { Database } from '@homeport/contract/databases/schema';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Time } from '../../../ui/text/Time.tsx';
import styles from './schedule.module.css';
import { runText } from './schedule-texts.ts';

interface ScheduleNoticesProps {
  database: Database;
  known: Backups | undefined;
  told: Extract<ServerSchedule, { kind: 'told' }> | null;
}

/** What is wrong with the schedule: a run that failed or did not come, and what keeps runs from beginning. */
export function ScheduleNotices({ database: { serverName }, known, told }: ScheduleNoticesProps) {
  const failed = failedRun(known);
  const schedule = told?.schedule;
  const lacksLine = told !== null && schedule && !schedule.paused && !told.inCrontab;
  const lacksClient = told !== null && schedule?.target.kind === 's3' && !told.client;
  if (!failed && !known?.missedAt && !lacksLine && !lacksClient && !(known?.unsure && !told)) return null;
  return (
    <div className={classNames(layout.stack, layout.gap2, styles.banners)}>
      {known?.missedAt && (
        <Banner tone="bad">
          <p>
            The backup of <Time at={known.missedAt} as="datetime" /> did not come, and {serverName} does
            report. Look whether cron runs there, and whether the schedule stands in the crontab of the user
            dokku.
          </p>
        </Banner>
      )}
      {failed && (
        <Banner tone="bad">
          <p>
            The backup of <Time at={failed.beganAt} as="datetime" /> failed: {runText(failed)}. Earlier
            backups stay.
          </p>
        </Banner>
      )}
      {lacksLine && (
        <Banner tone="warn">
          <p>
            {serverName} keeps the schedule, and its crontab does not have it, so no backup begins by itself.
            Edit and save the schedule, or look at the scheduler of Dokku there.
          </p>
        </Banner>
      )}
      {lacksClient && (
        <Banner tone="warn">
          <p>
            {serverName} has no rclone, so copies to the S3 address fail. Edit the schedule to install it.
          </p>
        </Banner>
      )}
      {known?.unsure && !told && (
        <Banner tone="warn">
          <p>
            The console has no answer about the last change of the schedule. Connect to {serverName} to see
            which schedule holds there.
          </p>
        </Banner>
      )}
    </div>
  );
}

/** The newest run that is over, if it failed. */
function failedRun(known: Backups | undefined) {
  const last = known?.runs.find(({ state }) => state !== 'running');
  return known?.schedule && last?.state === 'failed' ? last : null;
}
