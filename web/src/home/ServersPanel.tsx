import type { App } from '@homeport/contract/apps';
import { usageBand } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { Link, useNavigate } from '@tanstack/react-router';
import type { useApi } from '../data/use-api.ts';
import { Banner, LinkButton } from '../ui/Banner.tsx';
import { formatAgo, formatClock, formatCount, formatLoad, formatRate } from '../ui/format.ts';
import { Meter } from '../ui/Meter.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Sparkline } from '../ui/Sparkline.tsx';
import { Chip, Lamp, Status } from '../ui/Status.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { sinceWhen } from './greeting.ts';
import { transferRate } from './totals.ts';
import type { FleetLine } from './use-fleet.ts';

export interface ServersPanelProps {
  lines: readonly FleetLine[];
  apps: readonly App[] | undefined;
  dumps: ReturnType<typeof useApi<'GET /monitor/dumps'>>;
  now: number;
}

export function ServersPanel({ lines, apps, dumps, now }: ServersPanelProps) {
  const navigate = useNavigate();
  return (
    <Panel
      title="Servers"
      body="flush"
      line={false}
      actions={
        <Link className="sm" to="/servers">
          All servers
        </Link>
      }
    >
      {dumps.isError && (
        <div className="partial">
          <Banner tone="warn">
            Stats could not be loaded.{' '}
            {dumps.data && `Showing the values from ${formatClock(dumps.dataUpdatedAt)}. `}
            <LinkButton onClick={() => dumps.refetch()}>Try again</LinkButton>
          </Banner>
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

const lamps = { online: 'on', offline: 'off', 'no-data': 'nodata' } as const;
const words = { online: messages.online, offline: messages.offline, 'no-data': messages.noData } as const;
const tones = { info: 'info', warning: 'warn', danger: 'bad' } as const;
/** Load, RAM, disk and network of a server that does not report are one remark. */
const measured = 4;

function columnsFor(apps: readonly App[] | undefined, now: number): Column<FleetLine>[] {
  const appsOf = (id: string) => apps?.filter(({ serverId }) => serverId === id).length;
  return [
    {
      key: 'server',
      head: 'Server',
      card: 'full',
      cell: ({ server, status }) => (
        <div className="row g3">
          <Lamp state={status ? lamps[status] : 'nodata'} />
          <span className="sr">{status ? words[status] : 'Not known'}</span>
          <span className="two">
            <span className="row">
              <Link className="name" to="/server/$key" params={{ key: server.key }}>
                {server.name}
              </Link>
              {server.simulated && <Chip>simulated</Chip>}
              {server.sandbox && <Chip>sandbox</Chip>}
            </span>
            <small className="trunc" title={server.description || undefined}>
              {server.description || server.ip}
            </small>
          </span>
        </div>
      ),
    },
    {
      key: 'load',
      head: 'Load',
      span: ({ status }) => (status === 'online' ? 1 : measured),
      cell: (line) => (line.status === 'online' ? <LoadCell {...line} /> : <Silent {...line} now={now} />),
    },
    {
      key: 'ram',
      head: 'RAM',
      cell: ({ server, stats }) => (
        <Meter label={`RAM of ${server.name}`} percent={stats?.ram_percent ?? null} />
      ),
    },
    {
      key: 'disk',
      head: 'Disk',
      cell: ({ server, stats }) => (
        <Meter label={`Disk of ${server.name}`} percent={stats?.disk_percent ?? null} />
      ),
    },
    {
      key: 'network',
      head: 'Network',
      align: 'end',
      cell: ({ stats }) => <span className="nowrap">{formatRate(stats ? transferRate(stats) : null)}</span>,
    },
    {
      key: 'apps',
      head: 'Apps',
      align: 'end',
      card: 'low',
      cell: ({ server }) => formatCount(appsOf(server.id)),
    },
  ];
}

function LoadCell({ stats }: FleetLine) {
  const band = usageBand(stats?.load_percent ?? 0);
  const cores = stats?.cpu_cores ?? null;
  return (
    <div className="loadcell">
      <Sparkline values={stats?.recent_load ?? []} tone={tones[band]} />
      <span className="two">
        <span className={band}>{formatLoad(stats?.load[0])}</span>
        {cores !== null && <small>{cores === 1 ? '1 core' : `${cores} cores`}</small>}
      </span>
    </div>
  );
}

function Silent({ server, stats, status, now }: FleetLine & { now: number }) {
  if (status === null) return <span className="subtle">Not loaded</span>;
  return (
    <div className="row g3 wrap">
      <Status status={status} />
      <span className="muted">
        {stats
          ? `Last seen ${sinceWhen(stats.update_time, now)}`
          : `Added ${formatAgo(server.createdAt, now)}`}
      </span>
    </div>
  );
}
