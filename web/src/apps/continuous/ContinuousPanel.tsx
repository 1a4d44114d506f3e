import type { App } from '@homeport/contract/apps/schema';
import type { ContinuousDeployment } from '@homeport/contract/github/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { lazy, Suspense, useState } from 'react';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { WorkBadge } from '../../ui/feedback/WorkBadge.tsx';
import layout from '../../ui/layout/layout.module.css';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import styles from './ContinuousPanel.module.css';

const loadSetUp = () => import('./SetUpDialog.tsx');
const SetUpDialog = lazy(async () => ({ default: (await loadSetUp()).SetUpDialog }));

export interface ContinuousPanelProps {
  app: App;
  server: Server;
}

/**
 * The deployments by GitHub Actions: the way to set them up, and their runs. Nothing without a linked repository or without a
 * GitHub account that allows deployments.
 */
export function ContinuousPanel({ app, server }: ContinuousPanelProps) {
  const github = useApi('GET /api/github');
  const setUp = useApi('GET /api/apps/:id/continuous-deployment', { params: { id: app.id } });
  const [dialog, setDialog] = useState<'set-up' | 'undo' | null>(null);
  const account = github.data?.account;
  if (!app.repository || server.simulated || !account || setUp.data === undefined) return null;
  const closed = closedTexts(server)?.deploy;
  return (
    <PanelPart
      id="continuous-deployment"
      title="Continuous deployment"
      actions={
        <>
          {setUp.data && (
            <Button size="sm" disabledReason={closed} onClick={() => setDialog('undo')}>
              Undo
            </Button>
          )}
          <Button
            size="sm"
            icon="branch"
            disabledReason={closedOnApp(app, server, 'deploy') ?? refusal(account)}
            onPointerEnter={loadSetUp}
            onFocus={loadSetUp}
            onClick={() => setDialog('set-up')}
          >
            {setUp.data ? 'Set up again' : 'Set up'}
          </Button>
        </>
      }
      footer={setUp.data && <SetUpFacts setUp={setUp.data} />}
    >
      {setUp.data ? (
        <Runs app={app} setUp={setUp.data} />
      ) : (
        <NothingYet>
          Each push to {app.repository.fullName} can deploy this app, with GitHub Actions.
        </NothingYet>
      )}
      {dialog === 'set-up' && (
        <Suspense fallback={null}>
          <SetUpDialog app={app} server={server} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'undo' && <UndoDialog app={app} onClose={() => setDialog(null)} />}
    </PanelPart>
  );
}

function refusal({ linkAgain, canDeploy }: { linkAgain: boolean; canDeploy: boolean }): string | null {
  if (linkAgain)
    return 'GitHub does not accept the link of your account any more. Link it again on your profile.';
  return canDeploy
    ? null
    : 'Your GitHub account signs you in only. Choose “Allow deployments” on your profile.';
}

function SetUpFacts({ setUp: { repository, branch, fingerprint } }: { setUp: ContinuousDeployment }) {
  return (
    <span className={styles.facts}>
      {repository}, branch {branch}
      {fingerprint !== null && (
        <>
          , with the key <span className={typography.monospace}>{fingerprint}</span>
        </>
      )}
    </span>
  );
}

function Runs({ app, setUp }: { app: App; setUp: ContinuousDeployment }) {
  const runs = useApi('GET /api/apps/:id/continuous-deployment/runs', { params: { id: app.id } });
  return (
    <>
      {setUp.pullUrl !== null && (
        <Banner tone="warn">
          <p>
            The workflow waits in a{' '}
            <a href={setUp.pullUrl} target="_blank" rel="noreferrer">
              pull request
            </a>
            . Deployments begin when somebody merges it.
          </p>
        </Banner>
      )}
      <NotLoaded query={runs} title="The runs could not be loaded" />
      {runs.data?.length === 0 && <NothingYet>The workflow has not run yet.</NothingYet>}
      {runs.data && runs.data.length > 0 && (
        <ul className={settingsListStyles.settings} aria-label="Runs at GitHub">
          {runs.data.map((run) => (
            <li key={run.id}>
              <span className={typography.twoLines}>
                <a href={run.url} target="_blank" rel="noreferrer">
                  {run.title}
                </a>
                <small>
                  <Time at={run.startedAt} />
                </small>
              </span>
              <WorkBadge state={run.state} />
            </li>
          ))}
        </ul>
      )}
      <div className={layout.row}>
        <Button
          size="sm"
          variant="ghost"
          icon="refresh"
          busy={runs.isFetching}
          busyLabel="Reading"
          onClick={() => void runs.refetch()}
        >
          Read the runs again
        </Button>
      </div>
    </>
  );
}

function UndoDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const undo = useAct('POST /api/apps/:id/continuous-deployment/remove', {
    onDone: ({ id }) => openOperation(id),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Undo the continuous deployment?"
      description={`Pushes to the repository no longer deploy ${app.name}. The key goes from the server, the workflow and the secret from the repository. What is deployed stays.`}
      action="Undo"
      busyLabel="Beginning"
      onConfirm={async () => {
        await undo.mutateAsync({ params: { id: app.id } });
      }}
    />
  );
}
