import type { Environment } from '@homeport/contract/app-settings';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useServerCall } from '../../../connections/call-on-server.ts';
import { problemText } from '../../../data/api-problem.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { NothingYet } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts.ts';
import { appStatus } from '../../app-status.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { ServerRead } from '../on-server/ServerRead.tsx';
import { useOnServer } from '../on-server/use-on-server.ts';
import { SaveBar } from './SaveBar.tsx';
import {
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

/** The app's variables as its server has them. Edits are gathered and saved together, with one restart or none. */
export function EnvironmentPanel({ place }: { place: AppPlace }) {
  const { app, connect } = place;
  const client = useQueryClient();
  const { state, queryKey } = useOnServer('GET /api/apps/:id/environment', place);
  const [staged, setStaged] = useState<Staged>(new Map());
  const [revealAll, setRevealAll] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const save = useServerCall('PATCH /api/apps/:id/environment', {
    onDone: ({ environment, operation }) => {
      client.setQueryData(queryKey, environment);
      setStaged(new Map());
      toast.ok(messages.appConfigUpdated);
      if (operation) openOperation(operation.id);
    },
  });
  const ready = state.kind === 'ready';
  const present = ready ? state.data : nothingRead;
  const variables = listVariables(present, staged);
  const pending = pendingChanges(present, staged);
  const send = (restart: boolean) =>
    save.mutate({ params: { id: app.id }, body: { values: Object.fromEntries(pending), restart } });

  return (
    <Panel
      id="environment"
      title="Environment Variables"
      body="flush"
      busy={state.kind === 'loading'}
      aside={ready && <span className="subtle sm">{variables.length}</span>}
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
                  setStaged(change === 'added' ? unstage(staged, key) : stage(staged, [[key, '']]))
                }
                onUndo={({ key }) => setStaged(unstage(staged, key))}
              />
            )}
            {save.error && (
              <div className="envproblem">
                <Banner tone="bad">
                  <p>{problemText(save.error)}</p>
                </Banner>
              </div>
            )}
            <SaveBar
              pending={pending}
              removed={variables.filter((each) => each.state === 'removed').map(({ key }) => key)}
              running={appStatus(app) === 'running'}
              busy={save.isPending}
              busyLabel={save.connecting ? 'Connecting' : 'Saving'}
              onSave={send}
              onDiscard={() => {
                save.reset();
                setStaged(new Map());
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
            onStage={(key, value) => setStaged(stage(staged, [[key, value]]))}
            onClose={() => setOpen(null)}
          />
        )}
        {open?.dialog === 'paste' && (
          <PasteDialog
            variables={variables}
            onStage={(edits) => setStaged(stage(staged, edits))}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </Panel>
  );
}
