import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { lazy, Suspense, useState } from 'react';
import { LogPlaceholder } from '../../logs/LogPlaceholder.tsx';
import type { LogFeed } from '../../logs/log-feed.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import { Badge, type BadgeTone } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';

const LogBox = lazy(async () => ({ default: (await import('../../logs/LogBox.tsx')).LogBox }));
const DeployGuide = lazy(async () => ({ default: (await import('./DeployGuide.tsx')).DeployGuide }));
const loadHowToDeploy = () => import('./HowToDeployDialog.tsx');
const HowToDeployDialog = lazy(async () => ({ default: (await loadHowToDeploy()).HowToDeployDialog }));

type Status = App['deployment']['status'];

const looks: Record<Status, { word: string; tone: BadgeTone }> = {
  never: { word: 'Never deployed', tone: 'none' },
  deploying: { word: 'Deploying', tone: 'info' },
  succeeded: { word: 'Succeeded', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
};
const icons = { never: 'upload', deploying: 'refresh', succeeded: 'success', failed: 'danger' } as const;

export interface DeployPanelProps {
  app: App;
  server: Server;
  feed: LogFeed;
  onRetry: () => void;
}

/**
 * Shows the last deploy and its log. Before the first deploy, shows how to deploy. A new push appears without
 * a reload.
 */
export function DeployPanel({ app, server, feed, onRetry }: DeployPanelProps) {
  const [explained, setExplained] = useState(false);
  const { status, at } = app.deployment;
  const never = status === 'never';
  return (
    <Panel
      title="Deploy"
      id="deploy"
      body={never ? 'padded' : 'flush'}
      aside={
        <>
          <Badge tone={looks[status].tone} icon={icons[status]} spinning={status === 'deploying'}>
            {looks[status].word}
          </Badge>
          {at !== null && (
            <span className={classNames(typography.extraSmall, typography.subtle)}>
              {status === 'succeeded' ? '' : 'what serves: '}
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
      {never ? (
        <div className={layout.stack}>
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
        <Suspense fallback={<LogPlaceholder />}>
          <LogBox
            label={`deploy log of ${app.name}`}
            feed={feed}
            over={status !== 'deploying'}
            empty={
              status === 'deploying' ? 'The deploy begins' : 'This server keeps no log of its last deploy'
            }
            onRetry={onRetry}
          />
        </Suspense>
      )}
      {explained && (
        <Suspense fallback={null}>
          <HowToDeployDialog open onClose={() => setExplained(false)} apps={[app]} />
        </Suspense>
      )}
    </Panel>
  );
}
