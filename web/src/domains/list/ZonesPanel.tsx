import type { Zone } from '@homeport/contract/domains/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { NothingMatches } from '../../ui/feedback/States.tsx';
import { Quiet } from '../../ui/feedback/Status.tsx';
import { FilterField } from '../../ui/form/FilterField.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { ZoneBadge } from '../ZoneBadge.tsx';
import { zoneStatus, zoneTone, zoneType } from '../zone-texts.ts';

/** The list of domains with its filter. React defers the update of the rows, so that typing never lags. */
export function ZonesPanel({ zones }: { zones: readonly Zone[] }) {
  const [words, setWords] = useState('');
  const followed = useDeferredValue(words).trim().toLowerCase();
  const shown = useMemo(
    () =>
      zones.filter(
        ({ name, shownName }) => name.includes(followed) || shownName.toLowerCase().includes(followed),
      ),
    [zones, followed],
  );
  return (
    <div className={panelStyles.panel}>
      <div className={panelStyles.head}>
        <FilterField of="domains" by="name" words={words} onChange={setWords} />
      </div>
      {shown.length === 0 ? <NothingMatches onClear={() => setWords('')} /> : <ZonesTable zones={shown} />}
    </div>
  );
}

const columns: Column<Zone>[] = [
  {
    key: 'name',
    // An element, not text, because a card shows the name and the status without a label.
    head: <>Name</>,
    sortBy: ({ name }) => name,
    cell: (zone) => <Name zone={zone} />,
  },
  {
    key: 'created',
    head: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
  },
  {
    key: 'status',
    head: <>Status</>,
    card: 'beside',
    sortBy: zoneStatus,
    cell: (zone) =>
      zoneTone(zone) === 'ok' ? <Quiet lamp="on">{zoneStatus(zone)}</Quiet> : <ZoneBadge zone={zone} />,
  },
  { key: 'type', head: 'Type', sortBy: ({ type }) => type, cell: zoneType },
];

const ZonesTable = memo(function ZonesTable({ zones }: { zones: readonly Zone[] }) {
  const navigate = useNavigate();
  return (
    <Table
      caption="Domains"
      columns={columns}
      rows={zones}
      rowKey={({ id }) => id}
      sort={{ key: 'name', direction: 'ascending' }}
      onOpen={({ id }) => void navigate({ to: '/domain/$id', params: { id } })}
    />
  );
});

// A cell with a link makes a row slow to draw. `memo` skips rows that stay the same.
const Name = memo(function Name({ zone: { id, name, shownName } }: { zone: Zone }) {
  return (
    <span className={typography.twoLines}>
      <Link className={typography.name} to="/domain/$id" params={{ id }}>
        {shownName}
      </Link>
      {shownName !== name && <small className={typography.monospace}>{name}</small>}
    </span>
  );
});
