import type { ProxySummary } from '@homeport/contract/proxies/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { ButtonExternalLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { ProxyStatus } from '../ProxyStatus.tsx';
import { websiteText } from '../website-text.ts';

const columns: readonly Column<ProxySummary>[] = [
  {
    key: 'name',
    // An element, not text, because a card shows the name and the status without a label.
    head: <>Name</>,
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link className={typography.name} to="/proxy/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    key: 'status',
    head: <>Status</>,
    card: 'right',
    cell: ({ standing }) => <ProxyStatus state={standing.state} />,
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
    key: 'domain',
    head: 'Domain',
    card: 'wide',
    sortBy: ({ domain }) => domain,
    cell: ({ domain }) => domain,
  },
  {
    key: 'source',
    head: 'Source',
    card: 'wide',
    sortBy: ({ source }) => websiteText(source),
    cell: ({ source }) => websiteText(source),
  },
  {
    key: 'rules',
    head: 'Rules',
    align: 'end',
    sortBy: ({ rules }) => rules,
    cell: ({ rules }) => formatCount(rules),
  },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: ({ domain, url }) => (
      <span className={layout.cellActions}>
        <ButtonExternalLink
          variant="ghost"
          size="sm"
          iconOnly
          icon="external"
          href={url}
          title={`Open ${domain}`}
        >
          <span className={layout.visuallyHidden}>Open {domain}</span>
        </ButtonExternalLink>
      </span>
    ),
  },
];

export const ProxiesTable = memo(function ProxiesTable({ proxies }: { proxies: readonly ProxySummary[] }) {
  const navigate = useNavigate();
  return (
    <Table
      caption="Proxies"
      columns={columns}
      rows={proxies}
      rowKey={({ id }) => id}
      sort={{ key: 'name', direction: 'ascending' }}
      onOpen={({ id }) => void navigate({ to: '/proxy/$id', params: { id } })}
    />
  );
});
