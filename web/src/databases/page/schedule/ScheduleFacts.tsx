import type { BackupSchedule } from '@homeport/contract/backups/schema';
import { classNames } from '../../../ui/class-names.ts';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import styles from './schedule.module.css';
import { keepText, restoreTestTexts, rhythmText, runsAhead, targetText } from './schedule-texts.ts';

/** What the schedule says, in words. `asked`: the server said so just now. */
export function ScheduleFacts({ schedule, asked }: { schedule: BackupSchedule; asked: boolean }) {
  const now = useNow(60_000);
  const { cron, timeZone, paused, target, restoreTest } = schedule;
  const ahead = paused ? [] : runsAhead(cron, timeZone, now);
  return (
    <dl className={classNames(definitionsStyles.list, styles.facts)}>
      <dt>Runs</dt>
      <dd>
        {rhythmText(schedule)} <span className={typography.muted}>by the server’s clock ({timeZone})</span>
        {!asked && <span className={typography.muted}>, as the server last reported</span>}
      </dd>
      <dt>Next</dt>
      <dd>{paused ? 'Paused: no backup is made' : <NextRuns ahead={ahead} />}</dd>
      <dt>Kept</dt>
      <dd>{keepText(schedule)}</dd>
      <dt>Where</dt>
      <dd>
        {targetText(schedule)}
        {target.kind === 's3' && (
          <span className={typography.muted}>. Access key and secret: kept on the server</span>
        )}
      </dd>
      <dt>Restore test</dt>
      <dd>{restoreTestTexts[restoreTest]}</dd>
    </dl>
  );
}

export function NextRuns({ ahead }: { ahead: readonly number[] }) {
  const [first, ...rest] = ahead;
  if (first === undefined) return 'Never';
  return (
    <>
      <Time at={first} as="datetime" />
      {rest.map((at) => (
        <span key={at}>
          {', then '}
          <Time at={at} as="datetime" />
        </span>
      ))}
      <span className={typography.muted}> in your time</span>
    </>
  );
}
