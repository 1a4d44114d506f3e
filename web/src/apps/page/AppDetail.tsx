import { isMeantToRun } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ConnectionBadge } from '../../connections/ConnectionBadge.tsx';
import { AppDatabases } from '../../databases/of-app/AppDatabases.tsx';
import { useLogFeed, useLogLink } from '../../logs/use-log-feed.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { useSeen } from '../../on-server/use-seen.ts';
import { RecentWork } from '../../operations/RecentWork.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { ChartGroup } from '../../ui/chart/ChartGroup.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { AppStateLabel } from '../AppStateLabel.tsx';
import { DeployHistory } from '../deploy/DeployHistory.tsx';
import { DeployPanel } from '../deploy/DeployPanel.tsx';
import { firstChoice, LogsPanel } from '../logs/LogsPanel.tsx';
import { openUrl } from '../open-url.ts';
import { appPlanText } from '../plan-text.ts';
import { useAppStates } from '../use-app-states.ts';
import { AppActions } from './AppActions.tsx';
import appPageStyles from './app-page.module.css';
import { ConnectBanner } from './ConnectBanner.tsx';
import { EnvironmentPanel } from './environment/EnvironmentPanel.tsx';
import { GeneralPanel } from './general/GeneralPanel.tsx';
import { SystemPanel } from './general/SystemPanel.tsx';
import { LimitsPanel } from './limits/LimitsPanel.tsx';
import { ManagePanel } from './manage/ManagePanel.tsx';
import { NotificationsPanel } from './NotificationsPanel.tsx';
import { NotRunning } from './NotRunning.tsx';
import { ReadAge } from './ReadAge.tsx';
import { ReadmePanel } from './readme/ReadmePanel.tsx';
import { OnlineBadge } from './uptime/OnlineBadge.tsx';
import { useUptime } from './uptime/use-uptime.ts';
import { useAppActs } from './use-app-acts.ts';

const ContinuousPanel = lazy(async () => ({
  default: (await import('../continuous/ContinuousPanel.tsx')).ContinuousPanel,
}));
const DeployKeyPanel = lazy(async () => ({
  default: (await import('../deploy/DeployKeyPanel.tsx')).DeployKeyPanel,
}));
const UsagePanel = lazy(async () => ({ default: (await import('./usage/UsagePanel.tsx')).UsagePanel }));
const RequestTimes = lazy(async () => ({
  default: (await import('./uptime/RequestTimes.tsx')).RequestTimes,
}));

const sections = [
  { id: 'general', label: 'General' },
  { id: 'resource-usage', label: 'Resource Usage' },
  { id: 'readme', label: 'Readme' },
  { id: 'request-times', label: 'Request Times' },
  { id: 'deploy', label: 'Deploy' },
  { id: 'databases', label: 'Databases' },
  { id: 'environment', label: 'Environment Variables' },
  { id: 'logs', label: 'Logs' },
  { id: 'limits', label: 'Resource Limits' },
  { id: 'notifications', label: 'Notifications' },
  { id: 'system', label: 'System Information' },
  { id: 'work', label: 'Recent work' },
  { id: 'manage-app', label: 'Manage App' },
];

/** One app: its facts, its actions, and its logs while the page is open. */
export function AppDetail({ app, server }: { app: App; server: Server }) {
  const acts = useAppActs(app, server);
  const { stateOf, now } = useAppStates();
  const state = stateOf(app);
  const crashed = state.kind === 'crashed';
  const [round, setRound] = useState(0);
  const openAgain = () => setRound((before) => before + 1);
  const connect = useConnect(server, openAgain);
  const { uptime } = useUptime(app);
  const place = { app, server, connect };
  const { choice, setChoice, deploys, output, links } = useAppLogs(app, server, { round, crashed });

  return (
    <Page
      title={app.name}
      crumbs={<Link to="/apps">Applications</Link>}
      status={
        <>
          <AppStateLabel state={state} now={now} boxed /> <OnlineBadge uptime={uptime} />{' '}
          <ConnectionBadge server={server} />
        </>
      }
      meta={<AppFacts app={app} server={server} />}
      actions={<AppActions app={app} crashed={crashed} acts={acts} />}
    >
      <div className={layout.banners}>
        {(app.stopped || crashed) && <NotRunning app={app} acts={acts} />}
        <ConnectBanner server={server} links={links} connect={connect} />
      </div>
      <SectionNav label="Sections" sections={sections} />
      <ChartGroup>
        <div className={classNames(layout.stack, layout.gap5)}>
          <div className={layout.twoColumns}>
            <GeneralPanel app={app} server={server} />
            <div id="resource-usage" className={appPageStyles.cell}>
              <Suspense fallback={<Panel title="Resource Usage" busy />}>
                <UsagePanel place={place} state={state} />
              </Suspense>
            </div>
          </div>
          <div className={layout.twoColumns}>
            <ReadmePanel place={place} />
            <div className={appPageStyles.cell}>
              <Suspense fallback={<Panel title="Request Times" id="request-times" busy />}>
                <RequestTimes place={place} />
              </Suspense>
            </div>
          </div>
          <div className={layout.twoColumns}>
            <DeployPanel app={app} server={server} feed={deploys} onRetry={openAgain} />
            <div className={classNames(appPageStyles.cell, layout.stack, layout.gap5)}>
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
            </div>
          </div>
          <AppDatabases app={app} refusal={closedTexts(server)?.act ?? null} />
          <EnvironmentPanel place={place} />
          <div className={layout.twoColumns}>
            <LogsPanel place={place} feed={output} choice={choice} onChoose={setChoice} onRetry={openAgain} />
            <LimitsPanel place={place} />
          </div>
          <div className={layout.twoColumns}>
            <NotificationsPanel place={place} />
            <SystemPanel place={place} />
          </div>
          <RecentWork of={{ appId: app.id }} />
          <ManagePanel place={place} acts={acts} />
        </div>
      </ChartGroup>
    </Page>
  );
}

/**
 * Both logs of the app, followed while the page is open. Each round opens them again. The own log of a
 * crashed app is read once, to its end. A log that nobody has looked at is not read; a deploy that begins is
 * followed wherever the page stands.
 */
function useAppLogs(app: App, server: Server, { round, crashed }: { round: number; crashed: boolean }) {
  const [choice, setChoice] = useState(firstChoice);
  const { id } = app;
  const closed = closedTexts(server) !== null;
  const isSeen = { deploy: useSeen('deploy'), logs: useSeen('logs') };
  const deploys = useLogFeed(
    { route: 'GET /api/apps/:id/deploy-log', id, past: isSeen.deploy },
    closed ? 'not' : 'on',
    `${round}`,
  );
  // Each deploy, start and stop replaces the containers whose log is read.
  const containers = `${round} ${app.stopped} ${crashed} ${app.deployment.at}`;
  const output = useLogFeed(
    { route: 'GET /api/apps/:id/logs', id, ...choice },
    !isSeen.logs || !isMeantToRun(app) || closed ? 'not' : crashed ? 'once' : 'on',
    containers,
  );
  const links = [useLogLink(deploys), useLogLink(output)];
  return { choice, setChoice, deploys, output, links };
}

/** The app's addresses, its server, its plan and its last deploy. */
function AppFacts({ app, server }: { app: App; server: Server }) {
  const url = openUrl(app);
  return (
    <>
      {url && (
        <span>
          <ExternalLink href={url}>{new URL(url).host}</ExternalLink>
        </span>
      )}
      <span>
        <Icon name="server" size={16} />
        <Link className={typography.quietLink} to="/server/$key" params={{ key: server.key }}>
          {server.name}
        </Link>
      </span>
      <span>
        <Icon name="gauge" size={16} />
        {appPlanText(app)}
      </span>
      {app.deployment.at !== null && (
        <span>
          <Icon name="clock" size={16} />
          <span>
            Deployed <Time at={app.deployment.at} />
          </span>
        </span>
      )}
      <ReadAge app={app} server={server} />
    </>
  );
}
