import { Link } from '@tanstack/react-router';
import { Button, IconButton } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { CopyButton } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import quietStatusStyles from '../ui/feedback/quiet-status.module.css';
import { Badge } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import { type Column, Table } from '../ui/table/Table.tsx';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';
import credentialsStyles from './credentials.module.css';
import styles from './KeysTable.module.css';
import { type KeyRow, keyTypeWord } from './key-rows.ts';

export interface KeysTableProps {
  rows: readonly KeyRow[];
  onDelete: (row: KeyRow) => void;
  onExport: (row: KeyRow) => void;
  onRename: (row: KeyRow) => void;
  /** Sends the public half of a key to the console. Only this browser knows such a key. */
  onStore: (row: KeyRow) => void;
}

export function KeysTable({ rows, ...acts }: KeysTableProps) {
  return (
    <Table
      caption="Keys"
      columns={columnsFor(acts)}
      rows={rows}
      rowKey={({ id }) => id}
      sort={{ key: 'added', direction: 'descending' }}
    />
  );
}

function columnsFor({
  onDelete,
  onExport,
  onRename,
  onStore,
}: Omit<KeysTableProps, 'rows'>): Column<KeyRow>[] {
  return [
    {
      key: 'name',
      head: 'Name',
      card: 'full',
      sortBy: ({ name }) => name,
      cell: ({ name, publicKey }) => (
        <div className={classNames(layout.row, layout.gap3)}>
          <span className={styles.keyIcon}>
            <Icon name="key" size={18} />
          </span>
          <span className={typography.twoLines}>
            <b className={typography.strong}>{name}</b>
            <small>{keyTypeWord(publicKey)}</small>
          </span>
        </div>
      ),
    },
    {
      key: 'fingerprint',
      head: 'Fingerprint',
      card: 'full',
      cell: ({ name, fingerprint, sha256 }) => (
        <span className={layout.row}>
          <span
            className={classNames(typography.monospace, credentialsStyles.fingerprint)}
            title={sha256 ?? undefined}
          >
            {fingerprint}
          </span>
          <CopyButton text={fingerprint} what={`fingerprint of ${name}`} />
        </span>
      ),
    },
    { key: 'private', head: 'Private key', cell: (row) => <PrivateCell {...row} /> },
    { key: 'used', head: 'Used by', card: 'wide', cell: (row) => <UsedCell {...row} /> },
    {
      key: 'added',
      head: 'Added',
      sortBy: ({ addedAt }) => addedAt,
      cell: ({ addedAt }) => (
        <span className={classNames(typography.nowrap, typography.muted)}>
          <Time at={addedAt} as="date" />
        </span>
      ),
    },
    {
      key: 'acts',
      head: null,
      label: 'Actions',
      card: 'actions',
      cell: (row) => (
        <span className={layout.cellActions}>
          {row.stored && row.privatePart === 'absent' && (
            <ButtonLink to="/ssh-keys/new" search={{ add: row.id }} variant="ghost" size="sm">
              Add private key
              <span className={layout.visuallyHidden}> of {row.name}</span>
            </ButtonLink>
          )}
          {!row.stored && (
            <Button variant="ghost" size="sm" onClick={() => onStore(row)}>
              Store public key
              <span className={layout.visuallyHidden}> of {row.name}</span>
            </Button>
          )}
          {row.privatePart === 'locked' && (
            <IconButton label={`Export ${row.name} again`} icon="download" onClick={() => onExport(row)} />
          )}
          {row.stored && (
            <IconButton label={`Rename ${row.name}`} icon="edit" onClick={() => onRename(row)} />
          )}
          <IconButton label={`Delete ${row.name}`} icon="trash" onClick={() => onDelete(row)} />
        </span>
      ),
    },
  ];
}

function PrivateCell({ privatePart, stored }: KeyRow) {
  if (privatePart === 'unknown') return <span className={typography.subtle}>Not known</span>;
  if (privatePart === 'absent') {
    return (
      <Badge tone="warn" icon="lock">
        Not in this browser
      </Badge>
    );
  }
  return (
    <span className={typography.twoLines}>
      <span className={quietStatusStyles.status}>
        <Icon name="lock" size={16} />
        In this browser
      </span>
      {(privatePart === 'locked' || !stored) && (
        <small>{stored ? 'Locked' : 'Public half not stored here'}</small>
      )}
    </span>
  );
}

function UsedCell({ usedBy }: KeyRow) {
  if (usedBy.length === 0) return <span className={typography.subtle}>Not used</span>;
  return usedBy.map(({ id, key, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link className={typography.quietLink} to="/server/$key" params={{ key }}>
        {name}
      </Link>
    </span>
  ));
}
