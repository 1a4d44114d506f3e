import type { ReactNode } from 'react';
import { Meter } from '../ui/chart/Meter.tsx';
import type { Column } from '../ui/table/Table.tsx';
import { formatRate } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import { transferRate } from './transfer-rate.ts';
import type { FleetLine } from './use-fleet.ts';

export interface MeasuredColumns {
  load: Pick<Column<FleetLine>, 'cell' | 'sortBy'>;
  /** For a server that does not report: one remark in place of all four values. */
  remark: (line: FleetLine) => ReactNode;
  diskDigits?: 0 | 1;
}

/** Load, RAM, disk and network. */
export function measuredColumns({ load, remark, diskDigits = 0 }: MeasuredColumns): Column<FleetLine>[] {
  const columns: Column<FleetLine>[] = [
    {
      ...load,
      key: 'load',
      head: 'Load',
      span: ({ status }) => (status === 'online' ? 1 : columns.length),
      cell: (line) => (line.status === 'online' ? load.cell(line) : remark(line)),
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
        <Meter label={`Disk of ${server.name}`} percent={stats?.disk_percent ?? null} digits={diskDigits} />
      ),
    },
    {
      key: 'network',
      head: 'Network',
      align: 'end',
      cell: ({ stats }) => (
        <span className={typography.nowrap}>
          {formatRate(stats ? transferRate({ ...stats, seconds: stats.gap_seconds }) : null)}
        </span>
      ),
    },
  ];
  return columns;
}
