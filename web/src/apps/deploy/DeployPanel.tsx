import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { LogPlaceholder } from '../../logs/LogPlaceholder.tsx';
import type { LogFeed } from '../../logs/log-feed.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import { WorkBadge, type WorkState } from '../../ui/feedback/WorkBadge.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './DeployPanel.module.css';

const LogBox = lazy(async () => ({ default: (await import('../../logs/LogBox.tsx')).LogBox }));
const DeployGuide = lazy(async () => ({ default: (await import('./DeployGuide.tsx')).DeployGuide }));
const loadHowToDeploy = () => import('./HowToDeployDialog.tsx');
const HowToDeployDialog = lazy(async () => ({ default: (await loadHowToDeploy()).HowToDeployDialog }));

const looks: Record<App['deployment']['status'], { state: WorkState; word: string }> = {
  never: { state: 'never', word: 'Never deployed' },
  deploying: { state: 'running', word: 'Deploying' },
  succeeded: { state: 'succeeded', word: 'Succeeded' },
  failed: { state: 'failed', word: 'Failed' },
};

export interface DeployPanelProps {
  app: App;
  server: Server;
  feed: LogFeed;
  onRetry: () => void;
  /** The parts beside the log: history, repository, deploy key. */
  children: ReactNode;
}

/**
 * Everything on deploys: the log of the last one, and beside the log the history and where deploys come from. Before the first deploy
 * stands how to deploy. A new push appears without a reload.
 */
export function DeployPanel({ app, server, feed, onRetry, children }: DeployPanelProps) {
  const [explained, setExplained] = useState(false);
  const [whole, setWhole] = useState(false);
  const { status, at } = app.deployment;
  const never = status === 'never';
  return (
    <Panel
      title="Deploy"
      id="deploy"
      body="flush"
      aside={
        <>
          <WorkBadge {...looks[status]} />
          {at !== null && (
            <span className={classNames(typography.extraSmall, typography.subtle)}>
              {status === 'succeeded' ? '' : 'last good deploy '}
              <Time at={at} />
            </span>
          )}
        </>
      }
      actions={
        !never && (
          <Button
            size="sm"
            variant="ghost"
            icon="book"
            onPointerEnter={loadHowToDeploy}
            onFocus={loadHowToDeploy}
            onClick={() => setExplained(true)}
          >
            How to deploy
          </Button>
        )
      }
    >
      <div className={styles.frame}>
        <div className={styles.halves}>
          {never ? (
            <div className={classNames(layout.stack, styles.guide)}>
              <p className={classNames(typography.small, typography.muted)}>
                {server.simulated
                  ? simulatedTexts.deploy
                  : 'Nothing is deployed yet. A push shows up here within seconds.'}
              </p>
              {!server.simulated && (
                <Suspense fallback={<SkeletonRows />}>
                  <DeployGuide app={app} />
                </Suspense>
              )}
            </div>
          ) : (
            // After a success only the end of the log is of interest.
            <div className={classNames(styles.log, status === 'succeeded' && !whole && styles.end)}>
              <Suspense fallback={<LogPlaceholder />}>
                <LogBox
                  label={`deploy log of ${app.name}`}
                  feed={feed}
                  over={status !== 'deploying'}
                  empty={
                    status === 'deploying'
                      ? 'The deploy begins'
                      : 'This server keeps no log of its last deploy'
                  }
                  onRetry={onRetry}
                >
                  {status === 'succeeded' && (
                    <Button size="sm" variant="ghost" aria-expanded={whole} onClick={() => setWhole(!whole)}>
                      {whole ? 'Fold log' : 'Open log'}
                    </Button>
                  )}
                </LogBox>
              </Suspense>
            </div>
          )}
          <div className={styles.parts}>{children}</div>
        </div>
      </div>
      {explained && (
        <Suspense fallback={null}>
          <HowToDeployDialog open onClose={() => setExplained(false)} apps={[app]} />
        </Suspense>
      )}
    </Panel>
  );
}
