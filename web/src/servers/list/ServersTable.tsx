import type { App } from '@homeport/contract/apps/schema';
import { addressKindOf, urlHost } from '@homeport/contract/fields/server-address';
import { closedTexts } from '@homeport/contract/servers/closed';
import { defaultSshPort } from '@homeport/contract/servers/facts';
import type { Server } from '@homeport/contract/servers/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { IconButton } from '../../ui/button/Button.tsx';
import { useCopy } from '../../ui/button/use-copy.ts';
import { Meter } from '../../ui/chart/Meter.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from '../../ui/feedback/Banner.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { Menu } from '../../ui/menu/Menu.tsx';
import type { MenuItem } from '../../ui/menu/menu-props.ts';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatCount, formatWhenAndAge, noData } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { measuredColumns } from '../measured-columns.tsx';
import { placeOf } from '../place.ts';
import { ServerName } from '../ServerName.tsx';
import type { FleetLine } from '../use-fleet.ts';
import styles from './ServersTable.module.css';
import { platformOf, urgency } from './server-rows.ts';

export interface ServersTableProps {
  lines: readonly FleetLine[];
  apps: readonly App[] | undefined;
  now: number;
  onInstall: (server: Server) => void;
}

export const ServersTable = memo(function ServersTable({ lines, apps, now, onInstall }: ServersTableProps) {
  const navigate = useNavigate();
  const open = (server: Server) => navigate({ to: '/server/$key', params: { key: server.key } });
  return (
    <Table
      caption="Servers"
      columns={columnsFor({ apps, now, onInstall, onOpen: open })}
      rows={lines}
      rowKey={({ server }) => server.id}
      sort={{ key: 'status', direction: 'ascending' }}
      onOpen={({ server }) => open(server)}
    />
  );
});

interface Means {
  apps: readonly App[] | undefined;
  now: number;
  onInstall: (server: Server) => void;
  onOpen: (server: Server) => void;
}

function columnsFor({ apps, now, onInstall, onOpen }: Means): Column<FleetLine>[] {
  const counts = new Map<string, number>();
  for (const { serverId } of apps ?? []) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
  const appsOf = (line: FleetLine) => (apps ? (counts.get(line.server.id) ?? 0) : null);
  return [
    {
      key: 'server',
      head: 'Server',
      sortBy: ({ server }) => server.name,
      cell: ({ server }) => (
        <ServerName server={server}>
          <small
            className={classNames(
              typography.monospace,
              addressKindOf(server.ip) === 'name' ? typography.truncated : typography.nowrap,
              addressKindOf(server.ip) !== 'ipv4' && styles.long,
            )}
            title={addressKindOf(server.ip) === 'name' ? server.ip : undefined}
          >
            {server.port === defaultSshPort ? (
              server.ip
            ) : (
              <>
                {urlHost(server.ip)}
                <span className={typography.nowrap}>:{server.port}</span>
              </>
            )}
          </small>
        </ServerName>
      ),
    },
    {
      key: 'status',
      head: 'Status',
      sortBy: urgency,
      sortedThen: 'then load',
      card: 'right',
      cell: ({ status }) =>
        status ? <Status status={status} /> : <span className={typography.subtle}>Not loaded</span>,
    },
    ...measuredColumns({
      load: {
        sortBy: ({ status, stats }) => (status === 'online' ? (stats?.load_percent ?? null) : null),
        cell: ({ server, stats }) => (
          <Meter label={`Load of ${server.name}`} percent={stats?.load_percent ?? null} />
        ),
      },
      remark: (line) => <Silent line={line} now={now} onInstall={onInstall} />,
      diskDigits: 1,
    }),
    {
      key: 'location',
      head: 'Location',
      card: 'low',
      sortBy: ({ server }) => placeOf(server),
      cell: (line) => <Location line={line} />,
    },
    {
      key: 'apps',
      head: 'Apps',
      align: 'end',
      card: 'low',
      sortBy: appsOf,
      cell: (line) => formatCount(appsOf(line)),
    },
    {
      key: 'more',
      head: null,
      label: 'Actions',
      align: 'end',
      card: 'hide',
      cell: ({ server }) => <More server={server} onInstall={onInstall} onOpen={onOpen} />,
    },
  ];
}

interface SilentProps extends Pick<Means, 'now' | 'onInstall'> {
  line: FleetLine;
}

/** Says why a server has no measured values, and what to do. */
function Silent({ line: { server, stats, status }, now, onInstall }: SilentProps) {
  if (status === null) return <span className={typography.subtle}>{noData}</span>;
  if (stats)
    return <span className={typography.subtle}>Last seen {formatWhenAndAge(stats.update_time, now)}</span>;
  if (needsInstall(server)) {
    const failed = server.setup === 'failed';
    return (
      <span className={typography.subtle}>
        {failed ? 'The installation did not finish.' : 'Linked, and nothing is installed on it yet.'}{' '}
        <LinkButton onClick={() => onInstall(server)}>{failed ? 'Install again' : 'Install'}</LinkButton>
      </span>
    );
  }
  return (
    <span className={typography.subtle}>
      The monitoring agent has not reported yet.{' '}
      {!server.simulated && (
        <Link to="/server/$key" params={{ key: server.key }} hash="settings">
          {server.credential === null ? 'Get its install line' : 'Check the installation'}
        </Link>
      )}
    </span>
  );
}

const needsInstall = (server: Server) =>
  (server.setup === 'new' || server.setup === 'failed') && closedTexts(server) === null;

/** Where the server stands, and the platform on it. */
function Location({ line }: { line: FleetLine }) {
  const place = placeOf(line.server);
  const platform = platformOf(line);
  const below = [place && platform, line.server.dokkuVersion].filter(Boolean).join(' ');
  return (
    <span className={typography.twoLines}>
      <span>{place ?? platform}</span>
      {below && <small className={typography.nowrap}>{below}</small>}
    </span>
  );
}

function More({ server, onInstall, onOpen }: { server: Server } & Pick<Means, 'onInstall' | 'onOpen'>) {
  const { copy } = useCopy();
  const install: MenuItem = {
    label: server.setup === 'failed' ? 'Install again' : 'Install',
    icon: 'refresh',
    onSelect: () => onInstall(server),
  };
  return (
    <Menu
      trigger={<IconButton label={`More actions for ${server.name}`} icon="more" iconSize={20} />}
      items={[
        { label: 'Open', icon: 'server', onSelect: () => onOpen(server) },
        { label: 'Copy address', icon: 'copy', onSelect: () => copy(server.ip) },
        ...(needsInstall(server) ? [install] : []),
      ]}
    />
  );
}
