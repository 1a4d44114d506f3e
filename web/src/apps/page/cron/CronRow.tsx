import { readTaskSchedule, type TaskSchedule } from '@homeport/contract/apps/cron/schedule';
import type { CronTask } from '@homeport/contract/apps/cron/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Badge } from '../../../ui/feedback/Status.tsx';
import { formatIso, formatWhen } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import styles from './CronRow.module.css';
import { nextRun, onServerClock, rhythmText, scheduleWarnings } from './schedule-text.ts';

export type CronVerb = 'run' | 'suspend' | 'resume';

export interface CronRowProps {
  task: CronTask;
  timeZone: string | null;
  allOff: boolean;
  /** Why nothing can be done. */
  refusal: string | null;
  /** Why no single task is suspended or resumed. */
  noSuspend: string | null;
  busy: CronVerb | null;
  onAct: (verb: CronVerb, id: string) => void;
}

/** One line: the command, when it runs by the server’s clock, when next by the reader’s, and what can be done. */
export function CronRow({ task, timeZone, allOff, refusal, noSuspend, busy, onAct }: CronRowProps) {
  const { id, command, suspended } = task;
  const schedule = readTaskSchedule(task.schedule);
  const words = schedule.kind === 'times' ? rhythmText(schedule.cron) : null;
  const warning = scheduleWarnings[schedule.kind];
  const noAct = refusal ?? (id === null ? 'The name of this task is too long to act on from here.' : null);
  const change = suspended ? 'resume' : 'suspend';
  const act = (verb: CronVerb) => () => id !== null && onAct(verb, id);
  const muted = classNames(typography.extraSmall, typography.subtle);
  return (
    <li className={styles.row}>
      <span
        className={classNames(typography.monospace, typography.extraSmall, styles.command)}
        title={command}
      >
        {command}
      </span>
      <span className={styles.when}>
        {words} <span className={classNames(typography.monospace, muted, styles.raw)}>{task.schedule}</span>
        {overlapTexts[task.concurrency ?? ''] && (
          <span className={muted}> {overlapTexts[task.concurrency ?? '']}</span>
        )}
      </span>
      {suspended ? (
        <span>
          <Badge icon="pause">Suspended</Badge>
        </span>
      ) : allOff ? (
        <span className={typography.subtle}>off</span>
      ) : (
        <Next schedule={schedule} timeZone={timeZone} />
      )}
      <span className={styles.buttons}>
        <Button
          size="sm"
          busy={busy === 'run'}
          busyLabel="Starting"
          disabledReason={noAct}
          aria-label={`Run ${command} now`}
          onClick={act('run')}
        >
          Run now
        </Button>
        <Button
          size="sm"
          busy={busy === change}
          busyLabel={suspended ? 'Resuming' : 'Suspending'}
          disabledReason={noAct ?? noSuspend}
          aria-label={`${suspended ? 'Resume' : 'Suspend'} ${command}`}
          onClick={act(change)}
        >
          {suspended ? 'Resume' : 'Suspend'}
        </Button>
      </span>
      {warning && <p className={styles.warning}>{warning}</p>}
    </li>
  );
}

/** What a second start does while the first still runs, where it does not just run beside. */
const overlapTexts: Readonly<Record<string, string>> = {
  forbid: 'one at a time',
  replace: 'a new run ends the one before',
};

function Next({ schedule, timeZone }: { schedule: TaskSchedule; timeZone: string | null }) {
  const now = useNow(60_000);
  const at = nextRun(schedule, timeZone, now);
  if (at === null || timeZone === null)
    return (
      <span className={typography.subtle}>{schedule.kind === 'zone' ? 'never' : 'next run not known'}</span>
    );
  const there = onServerClock(timeZone, at);
  return (
    <span>
      Next{' '}
      <time dateTime={formatIso(at)} title={formatIso(at)}>
        {formatWhen(at, now)}
      </time>
      {there !== null && (
        <span className={classNames(typography.extraSmall, typography.subtle)}> ({there} on the server)</span>
      )}
    </span>
  );
}
