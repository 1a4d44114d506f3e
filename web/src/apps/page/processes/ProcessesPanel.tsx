import { isDeployed } from '@homeport/contract/apps/health';
import { planOf } from '@homeport/contract/apps/plans';
import { isTask } from '@homeport/contract/apps/processes/facts';
import type { Processes, ProcessTypeOf } from '@homeport/contract/apps/processes/schema';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { formatPlanMemory } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import styles from './ProcessesPanel.module.css';
import { ProcessRow } from './ProcessRow.tsx';
import { ScaleBar } from './ScaleBar.tsx';
import { changesOf, type Draft } from './scale-draft.ts';
import { servingText, typeOf } from './serving-text.ts';
import { settingsText } from './settings-text.ts';

const RulesDialog = lazy(async () => ({ default: (await import('./RulesDialog.tsx')).RulesDialog }));
const ChecksDialog = lazy(async () => ({
  default: (await import('../checks/ChecksDialog.tsx')).ChecksDialog,
}));
const LeaveGuard = lazy(async () => ({
  default: (await import('../../../ui/dialog/LeaveGuard.tsx')).LeaveGuard,
}));

/** The types of process of the app: what runs, and how many are wanted. */
export function ProcessesPanel({ place }: { place: AppPlace }) {
  const { app, connect } = place;
  const { state } = useOnServer('GET /api/apps/:id/processes', place, 'processes');
  const known = state.kind === 'ready' ? state.data : null;
  return (
    <Panel
      id="processes"
      title="Processes"
      body="flush"
      busy={state.kind === 'loading'}
      actions={
        known &&
        isDeployed(app) && (
          <>
            <ChecksButton place={place} />
            <RulesButton place={place} processes={known} />
          </>
        )
      }
      aside={
        known &&
        isDeployed(app) && (
          <span className={classNames(typography.extraSmall, typography.subtle)}>{settingsText(known)}</span>
        )
      }
    >
      {isDeployed(app) ? (
        <ServerRead state={state} connect={connect} what="the processes" rows={1}>
          {(processes) => <Types place={place} processes={processes} />}
        </ServerRead>
      ) : (
        <NothingYet>
          None yet. The Procfile of the first deploy names them; without one there is web.
        </NothingYet>
      )}
    </Panel>
  );
}

/** What a deploy checks is read when somebody asks: it costs the server two starts of Dokku. */
function ChecksButton({ place }: { place: AppPlace }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Checks
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ChecksDialog place={place} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Only where the server told the rules that hold. */
function RulesButton({ place, processes }: { place: AppPlace; processes: Processes }) {
  const { app, server } = place;
  const { restartPolicy, stopSeconds } = processes;
  const [open, setOpen] = useState(false);
  if (restartPolicy === null || stopSeconds === null) return null;
  return (
    <>
      <Button size="sm" disabledReason={closedOnApp(app, server)} onClick={() => setOpen(true)}>
        Change rules
      </Button>
      {open && (
        <Suspense fallback={null}>
          <RulesDialog
            app={app}
            restartPolicy={restartPolicy}
            stopSeconds={stopSeconds}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function Types({ place, processes }: { place: AppPlace; processes: Processes }) {
  const { app, server } = place;
  const [draft, setDraft] = useState<Draft>(new Map());
  const [restarting, setRestarting] = useState<string | null>(null);
  const restart = useAct('POST /api/apps/:id/processes/restart', {
    onDone: ({ id }) => openOperation(id),
    onFailed: (error: Error) => toast.bad(problemText(error)),
  });
  const types = processes.types.filter(({ type }) => !isTask(type));
  const { changes, wrong } = changesOf(types, draft);
  const serving = servingText(processes.containers ?? [], app.deployment.status === 'failed');
  const plan = app.plan === null ? null : planOf(app.plan);
  const memoryOf = (type: string) =>
    types.find((each) => each.type === type)?.memoryMb ?? plan?.memoryMb ?? null;
  return (
    <>
      {serving !== null && (
        <div className={styles.serving}>
          <Banner tone="warn">
            <p>{serving} Deploy again to bring them together.</p>
          </Banner>
        </div>
      )}
      <ul>
        {types.map((process) => {
          const { type, quantity } = process;
          const change = (value: string) => setDraft((before) => new Map(before).set(type, value));
          return (
            <ProcessRow
              key={type}
              process={process}
              containers={(processes.containers ?? []).filter(({ name }) => typeOf(name) === type)}
              value={draft.get(type) ?? `${quantity}`}
              onChange={processes.scalable === false ? null : change}
              limits={limitsText(process, plan)}
              appStopped={app.stopped}
              refusal={closedOnApp(app, server)}
              restarting={restart.isPending && restarting === type}
              onRestart={() => {
                setRestarting(type);
                restart.mutate({ params: { id: app.id }, body: { type } });
              }}
            />
          );
        })}
      </ul>
      {changes.length > 0 && (
        <>
          <ScaleBar
            app={app}
            changes={changes}
            memoryOf={memoryOf}
            blocked={wrong.size > 0}
            onDiscard={() => setDraft(new Map())}
          />
          <Suspense fallback={null}>
            <LeaveGuard unsaved="The new numbers of processes are not applied." />
          </Suspense>
        </>
      )}
    </>
  );
}

/** Its own limits, or those of the app's plan, for each process. */
function limitsText({ memoryMb, cpus }: ProcessTypeOf, plan: ReturnType<typeof planOf> | null): string {
  const memory = memoryMb ?? plan?.memoryMb;
  const share = cpus ?? plan?.cpus;
  const texts = [
    ...(memory === undefined ? [] : [formatPlanMemory(memory)]),
    ...(share === undefined ? [] : [`${share} CPU`]),
  ];
  return texts.length === 0 ? 'no limits' : texts.join(', ');
}
