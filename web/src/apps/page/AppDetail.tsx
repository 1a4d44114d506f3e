import { isMeantToRun } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useLogFeed, useLogLink } from '../../logs/use-log-feed.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { useSeen } from '../../on-server/use-seen.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import layout from '../../ui/layout/layout.module.css';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { AppStateLabel } from '../AppStateLabel.tsx';
import { firstChoice } from '../logs/LogsPanel.tsx';
import { replacedContainers, replacedSome } from '../on-server/last-operation.ts';
import { useLastOperation } from '../on-server/use-last-operation.ts';
import { openUrl } from '../open-url.ts';
import { useAppStates } from '../use-app-states.ts';
import { AppActions } from './AppActions.tsx';
import { type AppLogs, AppSections } from './AppSections.tsx';
import { ConnectBanner } from './ConnectBanner.tsx';
import { Missing } from './Missing.tsx';
import type { ManageDialog } from './manage/manage-dialog.ts';
import { NotRunning } from './NotRunning.tsx';
import { ReadAge } from './ReadAge.tsx';
import { OnlineBadge } from './uptime/OnlineBadge.tsx';
import { useUptime } from './uptime/use-uptime.ts';
import { useAppActs } from './use-app-acts.ts';

const loadDialogs = () => import('./manage/ManageDialogs.tsx');
const ManageDialogs = lazy(async () => ({ default: (await loadDialogs()).ManageDialogs }));

const sections = [
  { id: 'general', label: 'General' },
  { id: 'resource-usage', label: 'Resource Usage', also: ['processes'] },
  { id: 'readme', label: 'Readme' },
  { id: 'request-times', label: 'Request Times' },
  { id: 'deploy', label: 'Deploy', apart: true, also: ['deploys', 'continuous-deployment', 'deploy-key'] },
  { id: 'environment', label: 'Environment Variables', also: ['databases'] },
  { id: 'schedules', label: 'Schedules', also: ['commands'] },
  { id: 'logs', label: 'Logs' },
  { id: 'limits', label: 'Resource Limits', apart: true },
  { id: 'notifications', label: 'Notifications', also: ['work'] },
  { id: 'system', label: 'System Information' },
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
  const logs = useAppLogs(app, server, { round, crashed });
  const [dialog, setDialog] = useState<ManageDialog | null>(null);

  return (
    <Page
      title={app.name}
      crumbs={<Link to="/apps">Applications</Link>}
      status={
        <>
          <AppStateLabel state={state} now={now} boxed /> <OnlineBadge uptime={uptime} />
        </>
      }
      meta={<AppFacts app={app} server={server} />}
      actions={<AppActions app={app} crashed={crashed} acts={acts} />}
    >
      <div className={layout.banners}>
        {app.missingSince !== null ? (
          <Missing app={app} since={app.missingSince} onRemove={() => setDialog({ kind: 'destroy' })} />
        ) : (
          (app.stopped || crashed) && <NotRunning app={app} acts={acts} />
        )}
        <ConnectBanner server={server} links={[logs.deploysLink, logs.outputLink]} connect={connect} />
      </div>
      <SectionNav label="Sections" sections={sections} />
      <AppSections
        place={place}
        state={state}
        logs={logs}
        onRetry={openAgain}
        onPrepare={loadDialogs}
        onOpen={setDialog}
      />
      {dialog && (
        <Suspense fallback={null}>
          <ManageDialogs
            dialog={dialog}
            place={place}
            destroy={acts.destroy}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </Page>
  );
}

/**
 * Both logs of the app, followed while the page is open. Each round opens them again. The own log of a
 * crashed app is read once, to its end. A log that nobody has looked at is not read; a deploy that begins is
 * followed wherever the page stands.
 */
function useAppLogs(
  app: App,
  server: Server,
  { round, crashed }: { round: number; crashed: boolean },
): AppLogs {
  const [choice, setChoice] = useState(firstChoice);
  const { id } = app;
  const closed = closedTexts(server) !== null;
  const isSeen = { deploy: useSeen('deploy'), logs: useSeen('logs') };
  const deploys = useLogFeed(
    { route: 'GET /api/apps/:id/deploy-log', id, past: isSeen.deploy },
    closed ? 'not' : 'on',
    `${round}`,
  );
  // Each deploy, start, stop and restart replaces the containers whose log is read.
  const replaced = useLastOperation(id, replacedContainers);
  const some = useLastOperation(id, replacedSome);
  const containers = `${round} ${app.stopped} ${crashed} ${app.startedAt} ${some.operation?.id}`;
  const isRead = isSeen.logs && isMeantToRun(app) && !closed && replaced.known;
  const output = useLogFeed(
    { route: 'GET /api/apps/:id/logs', id, ...choice },
    !isRead ? 'not' : crashed ? 'once' : 'on',
    containers,
    `${app.deployment.at} ${replaced.operation?.id}`,
  );
  return {
    choice,
    setChoice,
    deploys,
    output,
    deploysLink: useLogLink(deploys),
    outputLink: useLogLink(output),
  };
}

/** The app's address, its server, its last deploy, and how fresh this page is. */
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
      {app.deployment.at !== null && (
        <span>
          <Icon name="clock" size={16} />
          <span>
            Deployed <Time at={app.deployment.at} />
          </span>
        </span>
      )}
      <span>
        <ReadAge app={app} server={server} />
      </span>
    </>
  );
}
