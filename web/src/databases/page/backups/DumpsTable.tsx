import type { Database, Dump } from '@homeport/contract/databases/schema';
import { routeUrl } from '../../../data/route-url.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { DownloadLink } from '../../../ui/button/ButtonLink.tsx';
import { classNames } from '../../../ui/class-names.ts';
import layout from '../../../ui/layout/layout.module.css';
import { type Column, Table } from '../../../ui/table/Table.tsx';
import { formatBytes, formatDateTime, formatDuration } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { DatabaseDialog } from '../database-dialog.ts';
import { shortChecksum } from '../short-checksum.ts';
import { originTexts } from './dump-texts.ts';

interface DumpsTableProps {
  database: Database;
  dumps: readonly Dump[];
  onOpen: (dialog: DatabaseDialog) => void;
}

export function DumpsTable({ database, dumps, onOpen }: DumpsTableProps) {
  return (
    <Table
      caption="Dumps"
      columns={columns(database, onOpen)}
      rows={dumps}
      rowKey={({ id }) => id}
      sort={{ key: 'made', direction: 'descending' }}
    />
  );
}

const columns = (database: Database, onOpen: DumpsTableProps['onOpen']): Column<Dump>[] => [
  {
    key: 'made',
    head: <>Made</>,
    label: 'Made',
    sortBy: ({ madeAt }) => madeAt,
    cell: ({ madeAt, durationSeconds }) => (
      <span className={classNames(typography.twoLines, typography.nowrap)}>
        <Time at={madeAt} as="datetime" />
        <small className={typography.muted}>
          took {durationSeconds === 0 ? 'under 1 s' : formatDuration(durationSeconds * 1_000)}
        </small>
      </span>
    ),
  },
  { key: 'origin', head: 'From', cell: ({ origin }) => originTexts[origin] },
  {
    key: 'size',
    head: 'Size',
    align: 'end',
    sortBy: ({ bytes }) => bytes,
    cell: ({ bytes }) => <span className={typography.nowrap}>{formatBytes(bytes)}</span>,
  },
  {
    key: 'checksum',
    head: 'SHA-256',
    card: 'low',
    cell: ({ sha256 }) => (
      <code className={typography.monospace} title={sha256}>
        {shortChecksum(sha256)}
      </code>
    ),
  },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (dump) => <Actions database={database} dump={dump} onOpen={onOpen} />,
  },
];

function Actions({ database, dump, onOpen }: Pick<DumpsTableProps, 'database' | 'onOpen'> & { dump: Dump }) {
  const { url } = routeUrl('GET /api/databases/:id/dumps/:dump/content', {
    params: { id: database.id, dump: dump.id },
  });
  const which = ` the dump of ${formatDateTime(dump.madeAt)}`;
  return (
    <span className={classNames(layout.row, layout.wrap, layout.gap2)}>
      <DownloadLink size="sm" icon="download" href={url}>
        Download<span className={layout.visuallyHidden}>{which}</span>
      </DownloadLink>
      <Button size="sm" icon="check" onClick={() => onOpen({ kind: 'test-dump', dump })}>
        Test<span className={layout.visuallyHidden}>{which}</span>
      </Button>
      <Button size="sm" icon="import" onClick={() => onOpen({ kind: 'restore', dump })}>
        Restore<span className={layout.visuallyHidden}>{which}</span>
      </Button>
      <Button size="sm" icon="trash" onClick={() => onOpen({ kind: 'delete-dump', dump })}>
        Delete<span className={layout.visuallyHidden}>{which}</span>
      </Button>
    </span>
  );
}
