import type { App } from '@homeport/contract/apps/schema';
import { usageBand } from '@homeport/contract/limits';
import { serverStatusText } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { measuredColumns } from '../servers/measured-columns.tsx';
import { placeOf } from '../servers/place.ts';
import { ServerName } from '../servers/ServerName.tsx';
import { StatsNotLoaded } from '../servers/StatsNotLoaded.tsx';
import type { FleetLine, useFleet } from '../servers/use-fleet.ts';
import { Sparkline } from '../ui/chart/Sparkline.tsx';
import { classNames } from '../ui/class-names.ts';
import { Lamp, Status } from '../ui/feedback/Status.tsx';
import { toneOf } from '../ui/feedback/tones.ts';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { type Column, Table } from '../ui/table/Table.tsx';
import { formatAgo, formatCount, formatLoad, formatWhen } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import styles from './ServersSummary.module.css';

export interface ServersSummaryProps {
  lines: readonly FleetLine[];
  /** The number of servers, of which a phone shows some. */
  all: number;
  apps: readonly App[] | undefined;
  dumps: ReturnType<typeof useFleet>['dumps'];
  now: number;
}

export function ServersSummary({ lines, all, apps, dumps, now }: ServersSummaryProps) {
  const navigate = useNavigate();
  return (
    <Panel
      title="Servers"
      body="flush"
      line={false}
      actions={
        <Link className={typography.small} to="/servers">
          {lines.length < all ? `All ${formatCount(all)} servers` : 'All servers'}
        </Link>
      }
    >
      {dumps.isError && (
        <div className={styles.partial}>
          <StatsNotLoaded dumps={dumps} />
        </div>
      )}
      <Table
        caption="Servers"
        columns={columnsFor(apps, now)}
        rows={lines}
        rowKey={({ server }) => server.id}
        onOpen={({ server }) => navigate({ to: '/server/$key', params: { key: server.key } })}
      />
    </Panel>
  );
}

/** What tells servers apart at a glance. A chip says already that a server is no machine of its own. */
const underName = (server: Server) =>
  placeOf(server) ?? (server.simulated || server.sandbox ? null : server.ip);

const lamps = { online: 'on', offline: 'off', 'no-data': 'nodata' } as const;

function columnsFor(apps: readonly App[] | undefined, now: number): Column<FleetLine>[] {
  const appsOf = (id: string) => apps?.filter(({ serverId }) => serverId === id).length;
  return [
    {
      key: 'server',
      head: 'Server',
      card: 'full',
      cell: ({ server, status }) => (
        <div className={classNames(layout.row, layout.gap3)}>
          <Lamp state={status ? lamps[status] : 'nodata'} />
          <span className={layout.visuallyHidden}>{status ? serverStatusText(status) : 'Not known'}</span>
          <ServerName server={server}>
            {underName(server) !== null && (
              <small className={typography.truncated} title={server.description || undefined}>
                {underName(server)}
              </small>
            )}
          </ServerName>
        </div>
      ),
    },
    ...measuredColumns({
      load: { cell: (line) => <LoadCell {...line} /> },
      remark: (line) => <Silent {...line} now={now} />,
    }),
    {
      key: 'apps',
      head: 'Apps',
      align: 'end',
      card: 'low',
      cell: ({ server }) => formatCount(appsOf(server.id)),
    },
  ];
}

const bandClass = { info: undefined, warning: styles.warning, danger: styles.danger };

function LoadCell({ stats }: FleetLine) {
  const band = usageBand(stats?.load_percent ?? 0);
  const cores = stats?.cpu_cores ?? null;
  return (
    <div className={styles.load}>
      <Sparkline values={stats?.recent_load ?? []} tone={toneOf[band]} />
      <span className={typography.twoLines}>
        <span className={bandClass[band]}>{formatLoad(stats?.load[0])}</span>
        {cores !== null && <small>{cores === 1 ? '1 core' : `${cores} cores`}</small>}
      </span>
    </div>
  );
}

function Silent({ server, stats, status, now }: FleetLine & { now: number }) {
  if (status === null) return <span className={typography.subtle}>Not loaded</span>;
  return (
    <div className={classNames(layout.row, layout.gap3, layout.wrap)}>
      <Status status={status} />
      <span className={typography.muted}>
        {stats
          ? `Last seen ${formatWhen(stats.update_time, now)}`
          : `Added ${formatAgo(server.createdAt, now)}`}
      </span>
    </div>
  );
}
