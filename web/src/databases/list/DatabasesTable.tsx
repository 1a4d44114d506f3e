import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge, Chip } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { DatabaseStatus } from '../DatabaseStatus.tsx';
import { exposureOf } from '../exposure-text.ts';
import type { StatusOf } from '../use-database-statuses.ts';

const columns = (statusOf: StatusOf): Column<Database>[] => [
  {
    key: 'name',
    // An element, not text, because a card shows the name and the status without a label.
    head: <>Database</>,
    sortBy: ({ name }) => name,
    cell: (database) => <Name database={database} />,
  },
  {
    key: 'status',
    head: <>Status</>,
    card: 'right',
    cell: (database) => <DatabaseStatus status={statusOf(database)} />,
  },
  {
    key: 'type',
    head: 'Type',
    sortBy: ({ type }) => databaseTypeOf(type).title,
    cell: ({ type, imageVersion }) => (
      <span className={typography.nowrap}>
        {databaseTypeOf(type).title}
        {imageVersion !== null && <span className={typography.subtle}> {imageVersion}</span>}
      </span>
    ),
  },
  {
    key: 'server',
    head: 'Server',
    sortBy: ({ serverName }) => serverName,
    cell: ({ serverKey, serverName }) => <Place serverKey={serverKey} name={serverName} />,
  },
  { key: 'exposed', head: 'Exposed', card: 'wide', cell: (database) => <Exposure database={database} /> },
  {
    key: 'apps',
    head: 'Apps',
    align: 'end',
    sortBy: ({ links }) => links.length,
    cell: ({ links }) => formatCount(links.length),
  },
  {
    key: 'created',
    head: 'Created',
    card: 'low',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => (
      <span className={classNames(typography.nowrap, typography.muted)}>
        <Time at={createdAt} as="date" />
      </span>
    ),
  },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (database) => <Actions database={database} />,
  },
];

export interface DatabasesTableProps {
  databases: readonly Database[];
  statusOf: StatusOf;
}

export const DatabasesTable = memo(function DatabasesTable({ databases, statusOf }: DatabasesTableProps) {
  const navigate = useNavigate();
  const described = useMemo(() => columns(statusOf), [statusOf]);
  return (
    <Table
      caption="Databases"
      columns={described}
      rows={databases}
      rowKey={({ id }) => id}
      sort={{ key: 'name', direction: 'ascending' }}
      onOpen={({ longname, id }) =>
        void navigate({ to: '/databases/$longname', params: { longname }, search: { id } })
      }
    />
  );
});

// Cells with links make a row slow to draw. `memo` skips rows that stay the same.

const Name = memo(function Name({ database: { id, name, longname } }: { database: Database }) {
  return (
    <span className={typography.twoLines}>
      <Link className={typography.name} to="/databases/$longname" params={{ longname }} search={{ id }}>
        {name}
      </Link>
      <small className={typography.monospace}>{longname}</small>
    </span>
  );
});

const Place = memo(function Place({ serverKey, name }: { serverKey: string; name: string }) {
  return (
    <Link className={typography.quietLink} to="/server/$key" params={{ key: serverKey }}>
      {name}
    </Link>
  );
});

function Exposure({ database }: { database: Database }) {
  const exposure = exposureOf(database);
  if (!exposure) return <span className={typography.subtle}>No</span>;
  return (
    <span className={layout.row}>
      <span className={typography.monospace}>{exposure.first}</span>
      {exposure.more > 0 && <Chip>+{exposure.more}</Chip>}
      {database.exposureFails && <Badge tone="warn">Fails</Badge>}
    </span>
  );
}

const Actions = memo(function Actions({ database: { id, name, longname } }: { database: Database }) {
  const label = `Settings of ${name}`;
  return (
    <span className={layout.cellActions}>
      <ButtonLink
        variant="ghost"
        iconOnly
        size="sm"
        icon="settings"
        to="/databases/$longname"
        params={{ longname }}
        search={{ id }}
        hash="settings"
        title={label}
      >
        <span className={layout.visuallyHidden}>{label}</span>
      </ButtonLink>
    </span>
  );
});
