import { lazy, Suspense, useState } from 'react';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { useOnServer } from '../on-server/use-on-server.ts';

const loadDeployCommit = () => import('./DeployCommitDialog.tsx');
const DeployCommitDialog = lazy(async () => ({ default: (await loadDeployCommit()).DeployCommitDialog }));

const DeployRows = lazy(async () => ({ default: (await import('./DeployRows.tsx')).DeployRows }));

const shownFirst = 4;
const shownAtMost = 10;

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
        {({ supported, deploys, releases }) =>
          deploys.length === 0 && !releases?.kept.length ? (
            <NothingYet>
              {supported
                ? 'Nothing is deployed yet.'
                : 'The Dokku of this server keeps no history. Dokku 0.38 and later keep one.'}
            </NothingYet>
          ) : (
            <Suspense fallback={<SkeletonRows rows={Math.min(deploys.length, shownFirst)} />}>
              <DeployRows
                deploys={deploys}
                releases={releases}
                shown={all ? shownAtMost : shownFirst}
                place={place}
              >
                {deploys.length > shownFirst && (
                  <div className={panelStyles.foot}>
                    <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
                      {all ? 'Show fewer' : `Show the last ${Math.min(deploys.length, shownAtMost)}`}
                    </Button>
                  </div>
                )}
              </DeployRows>
            </Suspense>
          )
        }
      </ServerRead>
    </PanelPart>
  );
}
