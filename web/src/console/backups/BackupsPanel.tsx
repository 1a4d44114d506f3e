import { backupOldAfterMs } from '@homeport/contract/console/facts';
import type { BackupPlan, ConsoleBackups } from '@homeport/contract/console/schema';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatWhen } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { BackupsTable } from './BackupsTable.tsx';
import { nextTry } from './copy-texts.ts';
import { KeyDialog } from './KeyDialog.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { clockOf } from './schedule-texts.ts';

/** Those of a week, where one a day is made. */
const shownFirst = 7;

type Asking = 'key' | 'schedule' | 'plain' | null;

/** Backups of the console itself: for which key, when, and those that are there. */
export function BackupsPanel() {
  const backups = useApi('GET /api/console/backups');
  const [asking, setAsking] = useState<Asking>(null);
  const make = useAct('POST /api/console/backups', {
    onDone: () => toast.ok('The backup is being made'),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const { data } = backups;
  const { shown, more } = useFirstRows(data?.backups ?? [], shownFirst);
  const running = data?.backups.some(({ state }) => state === 'running') ?? false;
  const close = () => setAsking(null);
  return (
    <Panel
      id="backups"
      title="Backups"
      body="flush"
      busy={backups.isPending}
      aside={
        data?.backups.length === 0 && (
          <span className={classNames(typography.small, typography.subtle)}>No backup yet.</span>
        )
      }
      actions={
        data && (
          <>
            {more}
            <Button
              size="sm"
              icon="plus"
              busy={make.isPending}
              busyLabel="Beginning"
              disabledReason={running ? 'A backup is being made.' : null}
              onClick={() =>
                data.plan.recipient === null ? setAsking('key') : make.mutate({ body: { encrypted: true } })
              }
            >
              Back up now
            </Button>
          </>
        )
      }
      footer={
        data && (
          <span>
            A backup holds everything of this console, its secret too. Files are in <code>{data.folder}</code>{' '}
            on the console’s machine
            {data.copiedTo === null ? (
              ': download them to have them elsewhere.'
            ) : (
              <>
                , and encrypted ones are copied to <code>{data.copiedTo}</code>.
              </>
            )}
          </span>
        )
      }
    >
      <NotLoaded query={backups} title="The backups could not be loaded" rows={3} />
      {data && <Old data={data} />}
      {data && <Uncopied data={data} />}
      {data && data.backups.length > 0 && <BackupsTable backups={shown} />}
      {data && <Plan plan={data.plan} onAsk={setAsking} />}
      {data && asking === 'key' && <KeyDialog plan={data.plan} onClose={close} />}
      {data && asking === 'schedule' && <ScheduleDialog plan={data.plan} onClose={close} />}
      <ConfirmDialog
        open={asking === 'plain'}
        onClose={close}
        title="Back up without encryption?"
        description="Whoever has the file is in every account, and reads every saved credential."
        action="Back up in clear"
        busyLabel="Beginning"
        typed="plain"
        onConfirm={async () => {
          await make.mutateAsync({ body: { encrypted: false, word: 'plain' } });
        }}
      />
    </Panel>
  );
}

/** Warns where the schedule no longer makes what it should. */
function Old({ data: { plan, backups } }: { data: ConsoleBackups }) {
  const now = useNow(60_000);
  const last = backups.find(({ state }) => state === 'done');
  if (plan.dailyAt === null || last === undefined || now - last.startedAt <= backupOldAfterMs) return null;
  return (
    <Banner tone="warn">
      <p>The last whole backup is of {formatWhen(last.startedAt, now)}. The schedule makes one a day.</p>
    </Banner>
  );
}

/** Warns where the newest backup is on the console’s machine alone, against what the operator set. */
function Uncopied({ data: { backups } }: { data: ConsoleBackups }) {
  const now = useNow(60_000);
  const copy = backups.find(({ state }) => state === 'done')?.copy;
  if (copy?.state !== 'failed') return null;
  return (
    <Banner tone="warn">
      <p>
        The last backup is not at <code>{copy.to}</code>. {copy.note}
      </p>
      <p>{nextTry(copy, now)}</p>
    </Banner>
  );
}

function Plan({ plan, onAsk }: { plan: BackupPlan; onAsk: (asking: Asking) => void }) {
  const now = useNow(60_000);
  return (
    <SettingsList>
      <Setting
        title="Key"
        note={
          plan.recipient === null ? (
            'No key yet. Backups are encrypted for a key whose private half only you have.'
          ) : (
            <span className={typography.monospace}>{plan.recipient}</span>
          )
        }
        action={
          <Button size="sm" onClick={() => onAsk('key')}>
            {plan.recipient === null ? 'Make a key' : 'Change the key'}
          </Button>
        }
      />
      <Setting
        title="Schedule"
        note={scheduleText(plan, now)}
        action={
          <Button
            size="sm"
            disabledReason={plan.recipient === null ? 'Make a key first: a schedule encrypts.' : null}
            onClick={() => onAsk('schedule')}
          >
            Set the schedule
          </Button>
        }
      />
      <Setting
        title="Without encryption"
        note="For a move within the hour, where no key is at hand."
        action={
          <Button size="sm" onClick={() => onAsk('plain')}>
            Back up in clear
          </Button>
        }
      />
    </SettingsList>
  );
}

function scheduleText({ dailyAt, keep }: BackupPlan, now: number): string {
  const stay = keep === 1 ? 'the newest backup stays' : `the newest ${keep} backups stay`;
  return dailyAt === null ? `None; ${stay}.` : `Every day at ${clockOf(dailyAt, now)}; ${stay}.`;
}
