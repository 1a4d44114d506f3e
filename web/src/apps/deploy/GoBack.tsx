import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import layout from '../../ui/layout/layout.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { type CommitDeploy, runningDeploy, waysBack } from './go-back.ts';

const loadDialog = () => import('./GoBackDialog.tsx');
const GoBackDialog = lazy(async () => ({ default: (await loadDialog()).GoBackDialog }));

interface GoBackProps {
  deploys: readonly Deploy[];
  to: Deploy;
  place: AppPlace;
}

/** The button of a deploy that the app can go back to. */
export function GoBack({ deploys, to, place: { app, server } }: GoBackProps) {
  const [chosen, setChosen] = useState<CommitDeploy | null>(null);
  const way = server.simulated ? undefined : waysBack(deploys).get(to.id);
  return (
    <>
      {way && (
        <Button
          size="sm"
          variant="ghost"
          disabledReason={closedOnApp(app, server, 'deploy')}
          onPointerEnter={loadDialog}
          onFocus={loadDialog}
          onClick={() => setChosen(way)}
        >
          Go back<span className={layout.visuallyHidden}> to {way.commit.sha.slice(0, 7)}</span>
        </Button>
      )}
      {chosen && (
        <Suspense fallback={null}>
          <GoBackDialog
            app={app}
            running={runningDeploy(deploys)}
            to={chosen}
            onClose={() => setChosen(null)}
          />
        </Suspense>
      )}
    </>
  );
}
