import { isMeantToRun } from '@homeport/contract/apps/health';
import { lazy, Suspense, useState } from 'react';
import { isProblem } from '../../../data/api-problem.ts';
import { useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { ChangedElsewhere } from './ChangedElsewhere.tsx';
import problemStyles from './problem.module.css';
import { SaveBar } from './SaveBar.tsx';
import type { Variable } from './staged-changes.ts';
import { useEnvironment } from './use-environment.ts';
import { VariablesTable } from './VariablesTable.tsx';

const VariableDialog = lazy(async () => ({ default: (await import('./VariableDialog.tsx')).VariableDialog }));
const PasteDialog = lazy(async () => ({ default: (await import('./PasteDialog.tsx')).PasteDialog }));

const LeaveGuard = lazy(async () => ({
  default: (await import('../../../ui/dialog/LeaveGuard.tsx')).LeaveGuard,
}));

type Open = { dialog: 'variable'; variable: Variable | null } | { dialog: 'paste' } | null;

/**
 * The app's variables as the server has them. The panel collects edits and saves them together, with or
 * without one restart.
 */
export function EnvironmentPanel({ place }: { place: AppPlace }) {
  const environment = useEnvironment(place);
  const { state, variables, edit } = environment;
  const [revealAll, setRevealAll] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const ready = state.kind === 'ready';
  // What the page asks for anyway. Herokuish writes the variables into the image, and its start reads them from there.
  const builder = useApi('GET /api/apps/:id/known', { params: { id: place.app.id } }).data?.processes?.told
    .builder;

  return (
    <Panel
      id="environment"
      title="Environment Variables"
      body="flush"
      busy={state.kind === 'loading'}
      aside={
        ready && (
          <span
            className={classNames(typography.subtle, typography.small)}
            title="Changes are gathered and saved together. An empty value removes its key."
          >
            {variables.length === 0 ? '0' : `${variables.length}, changes are saved together`}
          </span>
        )
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
      <ServerRead state={state} connect={place.connect} what="the variables">
        {() => (
          <Variables
            environment={environment}
            running={isMeantToRun(place.app)}
            keptInImage={builder === 'herokuish'}
            revealAll={revealAll}
            onEdit={(variable) => setOpen({ dialog: 'variable', variable })}
          />
        )}
      </ServerRead>
      <Suspense fallback={null}>
        {environment.pending.size > 0 && (
          <LeaveGuard unsaved="The changed variables are not saved. The app keeps its present ones." />
        )}
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

interface VariablesProps {
  environment: ReturnType<typeof useEnvironment>;
  running: boolean;
  keptInImage: boolean;
  revealAll: boolean;
  onEdit: (variable: Variable) => void;
}

/** The variables, the reasons that block saving, and the save bar. */
function Variables({ environment, running, keptInImage, revealAll, onEdit }: VariablesProps) {
  const { variables, pending, colliding, save, edit, takeBack } = environment;
  return (
    <>
      {variables.length === 0 ? (
        <NothingYet>No variables yet. The app sees those that you add after its next restart.</NothingYet>
      ) : (
        <VariablesTable
          variables={variables}
          revealAll={revealAll}
          onEdit={onEdit}
          onRemove={({ key, state: change }) => (change === 'added' ? takeBack([key]) : edit([[key, '']]))}
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
          onKeepMine={environment.keepMine}
          onTakeTheirs={() => takeBack(colliding)}
        />
      )}
      <SaveBar
        pending={pending}
        removed={variables.filter((each) => each.state === 'removed').map(({ key }) => key)}
        running={running}
        keptInImage={keptInImage}
        blocked={colliding.length > 0}
        busy={save.isPending}
        busyLabel={save.connecting ? 'Connecting' : 'Saving'}
        onSave={environment.send}
        onDiscard={environment.discard}
      />
    </>
  );
}
