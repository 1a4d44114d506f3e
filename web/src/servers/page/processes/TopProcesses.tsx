import { classNames } from '../../../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../../ui/table/Table.tsx';
import { formatBytes, formatCount, formatPercent } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import agedStyles from '../aged.module.css';
import type { ServerStatsView } from '../use-server-stats.ts';
import { groupProcesses, type ProcessGroup } from './group-processes.ts';
import styles from './TopProcesses.module.css';

const columns: readonly Column<ProcessGroup>[] = [
  {
    key: 'name',
    head: 'Process',
    cell: (row) => <span className={typography.monospace}>{row.name}</span>,
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
      className={classNames(styles.panel, status === 'offline' && agedStyles.aged)}
      actions={
        groups.length > 0 && (
          <span className={classNames(typography.extraSmall, typography.subtle)}>100 % is one core</span>
        )
      }
    >
      {stats === undefined && <SkeletonRows />}
      {stats !== undefined && groups.length === 0 && (
        <NothingYet>
          {stats === null ? 'They come with the first report.' : 'The latest report names no processes.'}
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
