import type { App } from '@homeport/contract/apps/schema';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import layout from '../../ui/layout/layout.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import type { CommitDeploy, WayBack } from './go-back.ts';

const loadDialog = () => import('./GoBackDialog.tsx');
const GoBackDialog = lazy(async () => ({ default: (await loadDialog()).GoBackDialog }));

interface GoBackProps {
  /** What runs now; null: the history does not tell. */
  running: CommitDeploy | null;
  to: WayBack;
  place: AppPlace;
}

/** The button of a version that the app can go back to. */
export function GoBack({ running, to, place: { app, server } }: GoBackProps) {
  const [chosen, setChosen] = useState<WayBack | null>(null);
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        disabledReason={closedOnApp(app, server, 'deploy') ?? stoppedText(app, to)}
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
        onClick={() => setChosen(to)}
      >
        Go back…<span className={layout.visuallyHidden}> to {nameOf(to)}</span>
      </Button>
      {chosen && (
        <Suspense fallback={null}>
          <GoBackDialog app={app} running={running} to={chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  );
}

/** A build starts a stopped app; the server refuses to start a kept version of one. */
const stoppedText = ({ stopped }: App, { builds, endsEarlier }: WayBack) =>
  stopped && !builds && !endsEarlier ? 'Start the app first: going back would start it.' : null;

const nameOf = ({ sha, title }: WayBack) => sha?.slice(0, 7) ?? title;
