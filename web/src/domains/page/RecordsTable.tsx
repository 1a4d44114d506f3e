import { isProxiableType, recordTtl } from '@homeport/contract/domains/facts';
import type { DnsRecord, PointsAt, Zone } from '@homeport/contract/domains/schema';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ClickAgainButton } from '../../ui/click-again/ClickAgainButton.tsx';
import { Badge, Chip } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Icon, type IconName } from '../../ui/picture/Icon.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import typography from '../../ui/text/typography.module.css';
import { recordFormOf } from '../record/record-form.ts';
import { ttlText } from '../zone-texts.ts';
import styles from './RecordsTable.module.css';

interface RecordsTableProps {
  zone: Zone;
  records: readonly DnsRecord[];
  /** The id of the record that is being deleted. */
  deleting: string | null;
  onEdit: (record: DnsRecord) => void;
  onDelete: (record: DnsRecord) => void;
}

export const RecordsTable = memo(function RecordsTable(props: RecordsTableProps) {
  const { zone, records, deleting, onEdit, onDelete } = props;
  const columns = useMemo(
    () => columnsOf({ zone, deleting, onEdit, onDelete }),
    [zone, deleting, onEdit, onDelete],
  );
  return (
    <Table
      caption="DNS Records"
      columns={columns}
      rows={records}
      rowKey={({ id }) => id}
      sort={{ key: 'name', direction: 'ascending' }}
    />
  );
});

const columnsOf = ({
  zone,
  deleting,
  onEdit,
  onDelete,
}: Omit<RecordsTableProps, 'records'>): Column<DnsRecord>[] => [
  {
    key: 'name',
    head: 'Name',
    card: 'full',
    sortBy: ({ name }) => name,
    cell: (record) => <Name record={record} zone={zone} />,
  },
  { key: 'type', head: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => <Chip mono>{type}</Chip> },
  {
    key: 'content',
    head: 'Content',
    card: 'wide',
    sortBy: ({ content }) => content,
    cell: ({ content, priority, pointsAt }) => (
      <span className={classNames(layout.row, layout.wrap)}>
        <span className={classNames(typography.monospace, styles.content)} title={content}>
          {priority !== null && <span className={typography.subtle}>{priority} </span>}
          {content}
        </span>
        <Target pointsAt={pointsAt} />
      </span>
    ),
  },
  {
    key: 'ttl',
    head: 'TTL',
    sortBy: ({ ttl }) => ttl,
    cell: ({ ttl }) => (
      <span
        className={typography.nowrap}
        title={ttl === recordTtl.automatic ? 'Automatic' : `${ttl} seconds`}
      >
        {ttlText(ttl)}
      </span>
    ),
  },
  {
    key: 'proxied',
    head: 'Proxied',
    sortBy: ({ proxied }) => (proxied ? 1 : 0),
    cell: (record) => <Proxied record={record} />,
  },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (record) => (
      <Actions
        record={record}
        zone={zone}
        busy={deleting === record.id}
        onEdit={onEdit}
        onDelete={onDelete}
      />
    ),
  },
];

const Name = memo(function Name({ record: { name, shownName }, zone }: { record: DnsRecord; zone: Zone }) {
  const suffix = `.${zone.shownName}`;
  const host = shownName.endsWith(suffix) ? shownName.slice(0, -suffix.length) : shownName;
  return (
    <span className={styles.name} title={name}>
      <span className={typography.strong}>{host}</span>
      {host !== shownName && <span className={typography.muted}>{suffix}</span>}
    </span>
  );
});

const targetLink = classNames(typography.quietLink, styles.target);

/** What of the user's own the record leads to. */
const Target = memo(function Target({ pointsAt }: { pointsAt: PointsAt | null }) {
  switch (pointsAt?.kind) {
    case 'app':
      return (
        <Chip>
          <Link
            className={targetLink}
            to="/app/$server/$longname"
            params={{ server: pointsAt.serverKey, longname: pointsAt.longname }}
          >
            <TargetName icon="apps" name={pointsAt.name} />
          </Link>
        </Chip>
      );
    case 'server':
      return (
        <Chip>
          <Link className={targetLink} to="/server/$key" params={{ key: pointsAt.key }}>
            <TargetName icon="server" name={pointsAt.name} />
          </Link>
        </Chip>
      );
    case 'proxy':
      return (
        <Chip>
          <Link className={targetLink} to="/proxy/$id" params={{ id: pointsAt.id }}>
            <TargetName icon="proxy" name={pointsAt.name} />
          </Link>
        </Chip>
      );
    case 'former':
      return (
        <Badge tone="warn" icon="warning">
          {pointsAt.name}, removed
        </Badge>
      );
    case 'nothing':
    case undefined:
      return null;
  }
});

function TargetName({ icon, name }: { icon: IconName; name: string }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span className={typography.truncated} title={name}>
        {name}
      </span>
    </>
  );
}

const Proxied = memo(function Proxied({ record: { type, proxied } }: { record: DnsRecord }) {
  if (!isProxiableType(type)) return <span className={typography.subtle}>–</span>;
  return (
    <span className={classNames(layout.row, layout.gap2, typography.nowrap)}>
      <Icon name="cloud" size={16} className={proxied ? styles.proxied : typography.subtle} />
      {proxied ? 'On Cloudflare' : 'DNS Only'}
    </span>
  );
});

interface ActionsProps {
  record: DnsRecord;
  zone: Zone;
  busy: boolean;
  onEdit: (record: DnsRecord) => void;
  onDelete: (record: DnsRecord) => void;
}

const Actions = memo(function Actions({ record, zone, busy, onEdit, onDelete }: ActionsProps) {
  if (!zone.editable) return <span className={typography.subtle}>Read only</span>;
  const what = `${record.shownName}, ${record.type}`;
  return (
    <span className={layout.cellActions}>
      {recordFormOf(record, zone) && (
        <IconButton label={`Edit ${what}`} icon="edit" onClick={() => onEdit(record)} />
      )}
      <ClickAgainButton label={`Delete ${what}`} what={what} busy={busy} onConfirm={() => onDelete(record)} />
    </span>
  );
});
