import { suspendSince } from '@homeport/contract/apps/cron/facts';
import type { CronTasks } from '@homeport/contract/apps/cron/schema';
import { isDokkuAtLeast } from '@homeport/contract/servers/dokku-versions';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import panelStyles from '../../../ui/layout/panel.module.css';
import { useFirstRows } from '../../../ui/table/use-first-rows.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import styles from './CronPanel.module.css';
import { CronRow, type CronVerb } from './CronRow.tsx';
import { runOnText, runsOnWhileStopped, tasksText, tasksWarned } from './tasks-text.ts';

/** The tasks that the server starts by its clock, behind a line that says their state. Asked for once the section is on the screen. */
export function CronPanel({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/cron', place, 'schedules');
  const [shows, setShows] = useState(false);
  const read = state.kind === 'ready' && state.data.tasks.length > 0 ? state.data : null;
  return (
    <Panel
      id="schedules"
      title="Schedules"
      body="flush"
      busy={state.kind === 'loading'}
      aside={
        read &&
        shows && (
          <span className={classNames(typography.extraSmall, typography.subtle)}>
            {read.timeZone === null ? 'by the server’s clock' : `by the server’s clock (${read.timeZone})`}
          </span>
        )
      }
      actions={
        read && (
          <Button size="sm" variant="ghost" aria-expanded={shows} onClick={() => setShows(!shows)}>
            {shows ? 'Hide' : 'Show'}
            <span className={layout.visuallyHidden}> tasks</span>
          </Button>
        )
      }
    >
      <ServerRead state={state} connect={place.connect} what="the schedules" rows={1}>
        {(told) =>
          told.tasks.length === 0 ? (
            <NothingYet>None. A deploy brings the tasks under cron of app.json.</NothingYet>
          ) : shows ? (
            <Tasks place={place} told={told} />
          ) : (
            <Folded tasks={told} stopped={place.app.stopped} />
          )
        }
      </ServerRead>
    </Panel>
  );
}

function Folded({ tasks, stopped }: { tasks: CronTasks; stopped: boolean }) {
  const now = useNow(60_000);
  const warned = tasksWarned(tasks);
  return (
    <NothingYet>
      {tasksText(tasks, now)}
      {runsOnWhileStopped(tasks, stopped) && `. ${runOnText}`}
      {warned > 0 && (
        <>
          {' '}
          <Badge tone="warn" icon="warning">
            {warned} with a warning
          </Badge>
        </>
      )}
    </NothingYet>
  );
}

function Tasks({ place, told }: { place: AppPlace; told: CronTasks }) {
  const { app, server } = place;
  const { tasks, more, allOff, timeZone } = told;
  const [asked, setAsked] = useState<{ id: string; verb: CronVerb } | null>(null);
  const options = {
    onDone: ({ id }: { id: string }) => openOperation(id),
    onFailed: (error: Error) => toast.bad(problemText(error)),
  };
  const acts = {
    run: useAct('POST /api/apps/:id/cron/run', options),
    suspend: useAct('POST /api/apps/:id/cron/suspend', options),
    resume: useAct('POST /api/apps/:id/cron/resume', options),
  };
  const { shown, more: allRows } = useFirstRows(tasks, 10);
  const version = server.dokkuVersion;
  const noSuspend =
    version === null || isDokkuAtLeast(version, suspendSince)
      ? null
      : `Dokku ${version} suspends no single task; ${suspendSince} is the first that does.`;
  return (
    <>
      {allOff && (
        <div className={styles.notice}>
          <Banner>
            <p>All tasks are off: the app or its server is set to maintenance with cron:set.</p>
          </Banner>
        </div>
      )}
      {runsOnWhileStopped(told, app.stopped) && (
        <div className={styles.notice}>
          <Banner tone="warn">
            <p>{runOnText} Suspend those that should not.</p>
          </Banner>
        </div>
      )}
      <ul>
        {shown.map((task, at) => (
          <CronRow
            key={task.id ?? at}
            task={task}
            timeZone={timeZone}
            allOff={allOff}
            refusal={closedOnApp(app, server)}
            noSuspend={noSuspend}
            busy={asked?.id === task.id && acts[asked.verb].isPending ? asked.verb : null}
            onAct={(verb, id) => {
              setAsked({ id, verb });
              acts[verb].mutate({ params: { id: app.id }, body: { task: id, command: task.command } });
            }}
          />
        ))}
      </ul>
      {(allRows || more > 0) && (
        <div className={panelStyles.foot}>
          {allRows}
          {more > 0 && (
            <span className={typography.subtle}>{formatCount(more)} more tasks are not shown here.</span>
          )}
        </div>
      )}
    </>
  );
}
