import { formatBytes, formatCount, formatPercent } from '../../ui/format.ts';
import { Panel } from '../../ui/Panel.tsx';
import { NothingYet, SkeletonRows } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { groupProcesses, type ProcessGroup } from './group-processes.ts';
import type { ServerStatsView } from './use-server-stats.ts';

const columns: readonly Column<ProcessGroup>[] = [
  {
    key: 'name',
    head: 'Process',
    cell: (row) => <span className="mono">{row.name}</span>,
    sortBy: (row) => row.name,
  },
  {
    key: 'count',
    head: 'Count',
    align: 'end',
    cell: (row) => formatCount(row.count),
    sortBy: (row) => row.count,
  },
  {
    key: 'memory',
    head: 'Memory',
    align: 'end',
    cell: (row) => formatBytes(row.memory),
    sortBy: (row) => row.memory,
  },
  {
    key: 'cpu',
    head: 'CPU',
    align: 'end',
    cell: (row) => formatPercent(row.cpu, 1),
    sortBy: (row) => row.cpu,
  },
];

/** The busiest processes of the latest report. */
export function TopProcesses({
  view: { stats, status },
}: {
  view: Pick<ServerStatsView, 'stats' | 'status'>;
}) {
  const groups = groupProcesses(stats?.processes_array ?? []);
  return (
    <Panel
      id="top-processes"
      title="Top Processes"
      body="flush"
      line={false}
      busy={stats === undefined}
      className={status === 'offline' ? 'aged' : ''}
      actions={groups.length > 0 && <span className="xs subtle">100 % is one core</span>}
    >
      {stats === undefined && <SkeletonRows />}
      {stats !== undefined && groups.length === 0 && (
        <NothingYet>
          {stats === null ? 'The first report brings them.' : 'The latest report names no processes.'}
        </NothingYet>
      )}
      {groups.length > 0 && (
        <Table
          caption="Processes by what they use"
          columns={columns}
          rows={groups}
          rowKey={(row) => row.name}
          sort={{ key: 'cpu', direction: 'descending' }}
          density="compact"
          cards={false}
        />
      )}
    </Panel>
  );
}
