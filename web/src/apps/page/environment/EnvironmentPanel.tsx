import type { Environment } from '@homeport/contract/apps/settings-schema';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useServerCall } from '../../../connections/call-on-server.ts';
import { isProblem } from '../../../data/api-problem.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import typography from '../../../ui/text/typography.module.css';
import { appStatus } from '../../app-status.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { ProblemBanner } from '../../ProblemBanner.tsx';
import { ChangedElsewhere } from './ChangedElsewhere.tsx';
import problemStyles from './problem.module.css';
import { SaveBar } from './SaveBar.tsx';
import {
  type Begun,
  begin,
  collidingKeys,
  listVariables,
  pendingChanges,
  type Staged,
  stage,
  unstage,
  type Variable,
} from './staged-changes.ts';
import { VariablesTable } from './VariablesTable.tsx';

const VariableDialog = lazy(async () => ({ default: (await import('./VariableDialog.tsx')).VariableDialog }));
const PasteDialog = lazy(async () => ({ default: (await import('./PasteDialog.tsx')).PasteDialog }));

type Open = { dialog: 'variable'; variable: Variable | null } | { dialog: 'paste' } | null;

const nothingRead: Pick<Environment, 'values' | 'managed'> = { values: {}, managed: [] };

const without = (begun: Begun, keys: readonly string[]): Begun =>
  new Map([...begun].filter(([key]) => !keys.includes(key)));

/** The app's variables as its server has them. Edits are gathered and saved together, with one restart or none. */
export function EnvironmentPanel({ place }: { place: AppPlace }) {
  const { app, connect } = place;
  const client = useQueryClient();
  const { state, queryKey } = useOnServer('GET /api/apps/:id/environment', place);
  const [staged, setStaged] = useState<Staged>(new Map());
  const [begun, setBegun] = useState<Begun>(new Map());
  const [revealAll, setRevealAll] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const save = useServerCall('PATCH /api/apps/:id/environment', {
    onDone: ({ environment, operation }) => {
      client.setQueryData(queryKey, environment);
      forget();
      toast.ok(messages.appConfigUpdated);
      if (operation) openOperation(operation.id);
    },
    // Changed elsewhere: what it was changed to is read, and asked about.
    onFailed: (error) => {
      if (isProblem(error, 'stale_edit')) void client.invalidateQueries({ queryKey });
    },
  });
  const forget = () => {
    setStaged(new Map());
    setBegun(new Map());
  };
  const ready = state.kind === 'ready';
  const present = ready ? state.data : nothingRead;
  const variables = listVariables(present, staged);
  const pending = pendingChanges(present, staged);
  const colliding = collidingKeys(present, staged, begun);
  const from = Object.fromEntries([...pending.keys()].map((key) => [key, begun.get(key) ?? null]));
  const send = (restart: boolean) =>
    save.mutate({ params: { id: app.id }, body: { values: Object.fromEntries(pending), from, restart } });
  const edit = (edits: readonly (readonly [string, string])[]) => {
    setBegun(
      begin(
        begun,
        present,
        edits.map(([key]) => key),
      ),
    );
    setStaged(stage(staged, edits));
  };
  const takeBack = (keys: readonly string[]) => {
    setStaged(keys.reduce(unstage, staged));
    setBegun(without(begun, keys));
  };

  return (
    <Panel
      id="environment"
      title="Environment Variables"
      body="flush"
      busy={state.kind === 'loading'}
      aside={
        ready && <span className={classNames(typography.subtle, typography.small)}>{variables.length}</span>
      }
      actions={
        ready && (
          <>
            {variables.length > 0 && (
              <Button
                size="sm"
                variant="ghost"
                icon={revealAll ? 'eyeoff' : 'eye'}
                aria-pressed={revealAll}
                onClick={() => setRevealAll(!revealAll)}
              >
                {revealAll ? 'Hide all' : 'Reveal all'}
              </Button>
            )}
            <Button size="sm" icon="import" onClick={() => setOpen({ dialog: 'paste' })}>
              Paste .env
            </Button>
            <Button size="sm" icon="plus" onClick={() => setOpen({ dialog: 'variable', variable: null })}>
              Add variable
            </Button>
          </>
        )
      }
    >
      <ServerRead state={state} connect={connect} what="the variables">
        {() => (
          <>
            {variables.length === 0 ? (
              <NothingYet>
                No variables yet. The app sees those that you add after its next restart.
              </NothingYet>
            ) : (
              <VariablesTable
                variables={variables}
                revealAll={revealAll}
                onEdit={(variable) => setOpen({ dialog: 'variable', variable })}
                onRemove={({ key, state: change }) =>
                  change === 'added' ? takeBack([key]) : edit([[key, '']])
                }
                onUndo={({ key }) => takeBack([key])}
              />
            )}
            {save.error && !isProblem(save.error, 'stale_edit') && (
              <div className={problemStyles.problem}>
                <ProblemBanner error={save.error} />
              </div>
            )}
            {colliding.length > 0 && (
              <ChangedElsewhere
                keys={colliding}
                onKeepMine={() => setBegun(begin(without(begun, colliding), present, colliding))}
                onTakeTheirs={() => takeBack(colliding)}
              />
            )}
            <SaveBar
              pending={pending}
              removed={variables.filter((each) => each.state === 'removed').map(({ key }) => key)}
              running={appStatus(app) === 'running'}
              blocked={colliding.length > 0}
              busy={save.isPending}
              busyLabel={save.connecting ? 'Connecting' : 'Saving'}
              onSave={send}
              onDiscard={() => {
                save.reset();
                forget();
              }}
            />
          </>
        )}
      </ServerRead>
      <Suspense fallback={null}>
        {open?.dialog === 'variable' && (
          <VariableDialog
            variable={open.variable}
            variables={variables}
            onStage={(key, value) => edit([[key, value]])}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.dialog === 'paste' && (
          <PasteDialog variables={variables} onStage={edit} onClose={() => setOpen(null)} />
        )}
      </Suspense>
    </Panel>
  );
}
