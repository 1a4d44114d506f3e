import { type AppState, isDeployed } from '@homeport/contract/apps/health';
import { Suspense } from 'react';
import { AppDatabases } from '../../databases/of-app/AppDatabases.tsx';
import type { LogLink } from '../../logs/follow-log.ts';
import type { LogFeed } from '../../logs/log-feed.ts';
import { RecentWork } from '../../operations/RecentWork.tsx';
import { ChartGroup } from '../../ui/chart/ChartGroup.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { closedForLinks } from '../closed-on-app.ts';
import { DeployHistory } from '../deploy/DeployHistory.tsx';
import { DeployPanel } from '../deploy/DeployPanel.tsx';
import { type LogChoice, LogsPanel } from '../logs/LogsPanel.tsx';
import type { AppPlace } from '../on-server/app-place.ts';
import appPageStyles from './app-page.module.css';
import { EnvironmentPanel } from './environment/EnvironmentPanel.tsx';
import { GeneralPanel } from './general/GeneralPanel.tsx';
import { SystemPanel } from './general/SystemPanel.tsx';
import { LimitsPanel } from './limits/LimitsPanel.tsx';
import { ManagePanel } from './manage/ManagePanel.tsx';
import type { ManageDialog } from './manage/manage-dialog.ts';
import { ReadmePanel } from './readme/ReadmePanel.tsx';

const ContinuousPanel = onDemand(
  async () => (await import('../continuous/ContinuousPanel.tsx')).ContinuousPanel,
  'outside',
);
const DeployKeyPanel = onDemand(
  async () => (await import('../deploy/DeployKeyPanel.tsx')).DeployKeyPanel,
  'outside',
);
const OneOffPanel = onDemand(async () => (await import('./one-off/OneOffPanel.tsx')).OneOffPanel, 'outside');
const CronPanel = onDemand(async () => (await import('./cron/CronPanel.tsx')).CronPanel, 'outside');
const ProcessesPanel = onDemand(
  async () => (await import('./processes/ProcessesPanel.tsx')).ProcessesPanel,
  'outside',
);
const UsagePanel = onDemand(async () => (await import('./usage/UsagePanel.tsx')).UsagePanel, 'outside');
const NotificationsPanel = onDemand(
  async () => (await import('./NotificationsPanel.tsx')).NotificationsPanel,
  'outside',
);
const RequestTimes = onDemand(
  async () => (await import('./uptime/RequestTimes.tsx')).RequestTimes,
  'outside',
);
// The page's own program begins to load them, so that they are there when it is first drawn.
for (const part of [
  UsagePanel,
  ProcessesPanel,
  RequestTimes,
  DeployKeyPanel,
  CronPanel,
  OneOffPanel,
  NotificationsPanel,
])
  void part.prepare();

/** Both logs of the app, each with the state of its stream. */
export interface AppLogs {
  choice: LogChoice;
  setChoice: (choice: LogChoice) => void;
  deploys: LogFeed;
  deploysLink: LogLink;
  output: LogFeed;
  outputLink: LogLink;
}

interface AppSectionsProps {
  place: AppPlace;
  state: AppState;
  logs: AppLogs;
  /** Opens both logs again. */
  onRetry: () => void;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: ManageDialog) => void;
}

/** The page's panels in their order: what is looked at daily first, pairs of like height, what destroys last. */
export function AppSections({ place, state, logs, onRetry, onPrepare, onOpen }: AppSectionsProps) {
  const { app, server } = place;
  return (
    <ChartGroup>
      <div className={classNames(layout.stack, layout.gap5, appPageStyles.sections)}>
        <div className={layout.twoColumns}>
          <GeneralPanel app={app} server={server} onOpen={onOpen} />
          <div id="resource-usage" className={classNames(appPageStyles.cell, appPageStyles.usage)}>
            <Suspense fallback={<Panel title="Resource Usage" busy />}>
              <UsagePanel place={place} state={state} />
            </Suspense>
          </div>
        </div>
        <div className={classNames(appPageStyles.cell, isDeployed(app) && appPageStyles.processes)}>
          <Suspense fallback={<ToCome title="Processes" id="processes" />}>
            <ProcessesPanel place={place} />
          </Suspense>
        </div>
        <div className={classNames(layout.twoColumns, appPageStyles.reading)}>
          <ReadmePanel place={place} />
          <div className={classNames(appPageStyles.cell, appPageStyles.times)}>
            <Suspense fallback={<Panel title="Request Times" id="request-times" busy />}>
              <RequestTimes place={place} />
            </Suspense>
          </div>
          <DeployPanel app={app} server={server} feed={logs.deploys} onRetry={onRetry}>
            <DeployHistory place={place} />
            {app.repository && (
              <Suspense fallback={null}>
                <ContinuousPanel app={app} server={server} />
              </Suspense>
            )}
            {!server.simulated && (
              <Suspense fallback={null}>
                <DeployKeyPanel app={app} server={server} />
              </Suspense>
            )}
          </DeployPanel>
        </div>
        <AppDatabases app={app} refusals={closedForLinks(app, server)} />
        <EnvironmentPanel place={place} />
        <div className={appPageStyles.slimPair}>
          <Suspense fallback={<ToCome title="Schedules" id="schedules" />}>
            <CronPanel place={place} />
          </Suspense>
          <Suspense fallback={<ToCome title="Commands" id="commands" />}>
            <OneOffPanel place={place} />
          </Suspense>
        </div>
        <div className={layout.twoColumns}>
          <LogsPanel
            place={place}
            feed={logs.output}
            choice={logs.choice}
            onChoose={logs.setChoice}
            onRetry={onRetry}
          />
          <LimitsPanel place={place} onOpen={onOpen} />
        </div>
        <div className={layout.twoColumns}>
          <div className={classNames(layout.stack, layout.gap5)}>
            <Suspense fallback={<ToCome title="Notifications" id="notifications" />}>
              <NotificationsPanel place={place} />
            </Suspense>
            <RecentWork of={{ appId: app.id }} />
          </div>
          <SystemPanel place={place} />
        </div>
        <ManagePanel place={place} onPrepare={onPrepare} onOpen={onOpen} />
      </div>
    </ChartGroup>
  );
}

/** A section whose program is still loading, in the form that it has most often. */
function ToCome({ title, id }: { title: string; id: string }) {
  return (
    <Panel title={title} id={id} body="flush" busy>
      <SkeletonRows rows={1} />
    </Panel>
  );
}
