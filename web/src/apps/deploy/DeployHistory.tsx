import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { lazy, Suspense, useState } from 'react';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { WorkBadge, type WorkState } from '../../ui/feedback/WorkBadge.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { useOnServer } from '../on-server/use-on-server.ts';
import { deployWords } from './deploy-words.ts';

const loadDeployCommit = () => import('./DeployCommitDialog.tsx');
const DeployCommitDialog = lazy(async () => ({ default: (await loadDeployCommit()).DeployCommitDialog }));

const shownFirst = 4;
const shownAtMost = 10;
const looks: Record<Deploy['status'], { state: WorkState; word?: string }> = {
  running: { state: 'running', word: 'Deploying' },
  succeeded: { state: 'succeeded' },
  failed: { state: 'failed' },
  canceled: { state: 'cancelled' },
};

/** The deploys that the server's Dokku remembers, newest first. */
export function DeployHistory({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/deploys', place, 'deploys');
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const { app, server } = place;
  return (
    <PanelPart
      id="deploys"
      title="Deploy history"
      busy={state.kind === 'loading'}
      actions={
        app.repository &&
        !server.simulated && (
          <Button
            size="sm"
            icon="branch"
            disabledReason={closedOnApp(app, server, 'deploy')}
            onPointerEnter={loadDeployCommit}
            onFocus={loadDeployCommit}
            onClick={() => setOpen(true)}
          >
            Deploy a commit
          </Button>
        )
      }
    >
      {open && app.repository && (
        <Suspense fallback={null}>
          <DeployCommitDialog app={app} repository={app.repository} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <ServerRead state={state} connect={place.connect} what="the deploys">
        {({ supported, deploys }) =>
          deploys.length === 0 ? (
            <NothingYet>
              {supported
                ? 'Nothing is deployed yet.'
                : 'The Dokku of this server keeps no history. Dokku 0.38 and later keep one.'}
            </NothingYet>
          ) : (
            <>
              <ul className={settingsListStyles.settings}>
                {deploys.slice(0, all ? shownAtMost : shownFirst).map((deploy) => (
                  <li key={deploy.id}>
                    <DeployText deploy={deploy} />
                    <WorkBadge {...looks[deploy.status]} />
                  </li>
                ))}
              </ul>
              {deploys.length > shownFirst && (
                <div className={panelStyles.foot}>
                  <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
                    {all ? 'Show fewer' : `Show the last ${Math.min(deploys.length, shownAtMost)}`}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </ServerRead>
    </PanelPart>
  );
}

/** What was deployed, and how it came. A deploy whose commit the server did not note is named after the way. */
function DeployText({ deploy }: { deploy: Deploy }) {
  const { title, facts } = deployWords(deploy);
  return (
    <span className={typography.twoLines}>
      <span className={typography.truncated} title={title}>
        {title}
      </span>
      <small>
        {deploy.commit && (
          <>
            <span className={typography.monospace} title={deploy.commit.sha}>
              {deploy.commit.sha.slice(0, 7)}
            </span>{' '}
          </>
        )}
        {facts.map((fact) => `${fact}, `)}
        <Time at={deploy.startedAt} />
        {deploy.finishedAt !== null && `, took ${tookText(deploy.finishedAt - deploy.startedAt)}`}
      </small>
    </span>
  );
}

const tookText = (ms: number) => (ms < 1_000 ? 'under 1 s' : formatDuration(ms));
