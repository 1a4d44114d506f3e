import { closedTexts } from '@homeport/contract/servers/closed';
import { healthNotices } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { ConnectionBadge } from '../../connections/ConnectionBadge.tsx';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { ServerDatabases } from '../../databases/of-server/ServerDatabases.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { CopyValue } from '../../ui/button/CodeLine.tsx';
import { ChartGroup, KeepInStep } from '../../ui/chart/ChartGroup.tsx';
import chartStyles from '../../ui/chart/chart.module.css';
import { classNames } from '../../ui/class-names.ts';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Badge, Status } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { placeOf } from '../place.ts';
import { ServerApps } from './apps/ServerApps.tsx';
import { noAppsReason, noImportReason } from './availability.ts';
import { ServerCharts } from './charts/ServerCharts.tsx';
import { Firewall } from './firewall/Firewall.tsx';
import { noStatsReason } from './no-stats.ts';
import { Notifications } from './notices/Notifications.tsx';
import { ServerBanners } from './notices/ServerBanners.tsx';
import { Overview } from './overview/Overview.tsx';
import { TopProcesses } from './processes/TopProcesses.tsx';
import styles from './ServerPage.module.css';
import { Settings, type SettingsDialog } from './settings/Settings.tsx';
import { useLeaveWhenGone } from './use-leave-when-gone.ts';
import { type ServerStatsView, useServerStats } from './use-server-stats.ts';

const SettingsDialogs = lazy(async () => ({
  default: (await import('./settings/SettingsDialogs.tsx')).SettingsDialogs,
}));

export function ServerPage() {
  const { key } = useParams({ from: '/frame/server/$key' });
  const servers = useApi('GET /api/servers');
  const server = servers.data?.find((each) => each.key === key);
  const leaving = useLeaveWhenGone(key, server, servers.data !== undefined);
  if (server) return <OneServer key={server.id} server={server} />;
  if (leaving) return null;
  return (
    <Page title="Server" crumbs={crumbs}>
      {servers.isPending && (
        <Panel body="flush" busy>
          <SkeletonRows />
        </Panel>
      )}
      {servers.isError && !servers.data && (
        <Panel>
          <Failed title="The server could not be loaded" onRetry={() => void servers.refetch()} level={2}>
            {problemText(servers.error)}
          </Failed>
        </Panel>
      )}
      {servers.data && (
        <Panel>
          <Empty title="No server here" action={<ButtonLink to="/servers">All servers</ButtonLink>}>
            None of your servers has this address. It may have been removed.
          </Empty>
        </Panel>
      )}
    </Page>
  );
}

const crumbs = <Link to="/servers">Servers</Link>;

const TerminalDock = lazy(async () => ({
  default: (await import('../../terminals/TerminalDock.tsx')).TerminalDock,
}));

function OneServer({ server }: { server: Server }) {
  const [dialog, setDialog] = useState<SettingsDialog | null>(null);
  const [terminal, setTerminal] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const view = useServerStats(server);
  const now = useNow(10_000);
  const { stats, points, status } = view;
  const notices = stats ? healthNotices(stats, points, now) : [];
  const open = notices.filter(({ kind }) => kind !== 'gap');
  const noApps = noAppsReason(server);
  return (
    <Page
      title={server.name}
      crumbs={crumbs}
      status={
        <>
          {stats !== undefined && <Status status={status} boxed />}
          {server.simulated && <Badge icon="info">Simulated</Badge>}
          {server.sandbox && <Badge icon="info">Sandbox</Badge>}
        </>
      }
      meta={<Meta server={server} view={view} />}
      actions={
        <>
          {server.shellAllowed && closedTexts(server) === null && (
            <Button ref={opener} icon="command" onClick={() => setTerminal(true)}>
              Open a terminal
            </Button>
          )}
          <NewApp server={server} reason={noApps} />
        </>
      }
    >
      <div className={layout.banners}>
        <ServerBanners server={server} view={view} onOpen={setDialog} />
      </div>
      <SectionNav
        label="Sections"
        sections={[
          { id: 'overview', label: 'Overview' },
          { id: 'notifications', label: 'Notifications', count: open.length },
          { id: 'apps', label: 'Apps' },
          { id: 'databases', label: 'Databases' },
          { id: 'network-usage', label: 'Network Usage', apart: true },
          { id: 'network-latency', label: 'Network Latency' },
          { id: 'cpu-load', label: 'CPU Load' },
          { id: 'ram-swap', label: 'RAM & SWAP' },
          { id: 'disk-usage', label: 'Disk Usage' },
          { id: 'top-processes', label: 'Top Processes', apart: true },
          { id: 'firewall', label: 'Firewall' },
          { id: 'settings', label: 'Settings' },
        ]}
      />
      <div className={classNames(layout.stack, layout.gap5)}>
        <Overview server={server} view={view} />
        <div className={layout.twoColumns}>
          <Notifications server={server} notices={notices} view={view} />
          <div className={classNames(layout.stack, layout.gap5)}>
            <ServerApps server={server} noAppsReason={noApps} />
            <ServerDatabases server={server} noNewReason={noApps} noImportReason={noImportReason(server)} />
          </div>
        </div>
        <ChartGroup>
          <div className={styles.chartsBar}>
            <p className={classNames(typography.small, typography.muted)}>
              Latest shows the last 20 points, 3 minutes apart.
            </p>
            <KeepInStep />
          </div>
          <div className={chartStyles.columns}>
            <ServerCharts serverKey={server.key} view={view} emptyHint={noStatsReason(server)} />
            <TopProcesses view={view} />
          </div>
        </ChartGroup>
        <Firewall server={server} onChangeCredential={() => setDialog('credential')} />
        <Settings server={server} agentVersion={stats?.agent_version ?? null} onOpen={setDialog} />
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <SettingsDialogs dialog={dialog} server={server} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {terminal && (
        <Suspense fallback={null}>
          <TerminalDock at={{ kind: 'server', server }} opener={opener} onClose={() => setTerminal(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function Meta({ server, view: { stats, status } }: { server: Server; view: ServerStatsView }) {
  const place = placeOf(server);
  const platform = platformIn(server);
  return (
    <>
      <CopyValue text={server.ip} what="address" />
      {place && (
        <span>
          <Icon name="pin" size={16} />
          {place}
        </span>
      )}
      {platform && (
        <span>
          <Icon name="box" size={16} />
          {platform}
        </span>
      )}
      {stats && status === 'online' && (
        <span>
          <Icon name="clock" size={16} />
          Up {formatDuration(stats.uptime * 1_000)}
        </span>
      )}
      {stats && (
        <span>
          <span>
            Stats from <Time at={stats.update_time} />
          </span>
        </span>
      )}
      {!server.simulated && <ConnectionBadge server={server} />}
    </>
  );
}

/** null: nobody has looked. A read-only server was never set up from here. */
function platformIn({ metal, dokkuVersion, credential, setup }: Server): string | null {
  if (credential === null && setup !== 'ready') return null;
  return metal ? 'Bare metal' : `Dokku ${dokkuVersion ?? ''}`.trim();
}

/** The page's main button. While the server is not set up, the setup has the main button instead. */
function NewApp({ server, reason }: { server: Server; reason: string | null }) {
  if (reason !== null)
    return (
      <Button variant={server.setup === 'ready' ? 'primary' : 'default'} icon="plus" disabledReason={reason}>
        New app
      </Button>
    );
  return (
    <ButtonLink to="/apps/new" search={{ server: server.key }} variant="primary" icon="plus">
      New app
    </ButtonLink>
  );
}
