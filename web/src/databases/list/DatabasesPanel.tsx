import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypes } from '@homeport/contract/databases/types/database-types';
import { useDeferredValue, useMemo, useState } from 'react';
import { NothingMatches } from '../../ui/feedback/States.tsx';
import { FilterChoice } from '../../ui/form/FilterChoice.tsx';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { formatCount } from '../../ui/text/format.ts';
import { useDatabaseStatuses } from '../use-database-statuses.ts';
import { DatabasesTable } from './DatabasesTable.tsx';
import { type DatabaseFilter, filterDatabases, noFilter } from './filter-databases.ts';

const groupNames: Record<DatabaseFilter['status'], string> = {
  all: 'All',
  online: 'Online',
  paused: 'Paused',
  other: 'Other',
};
const groups = Object.keys(groupNames) as DatabaseFilter['status'][];

/** The list of databases with its filters. React defers the update of the rows, so that typing never lags. */
export function DatabasesPanel({ databases }: { databases: readonly Database[] }) {
  const [filter, setFilter] = useState(noFilter);
  const followed = useDeferredValue(filter);
  const statusOf = useDatabaseStatuses();
  const shown = useMemo(
    () => filterDatabases(databases, statusOf, followed),
    [databases, statusOf, followed],
  );
  const all = filterDatabases(databases, statusOf, noFilter).counts;
  const servers = new Map(databases.map(({ serverId, serverName }) => [serverId, serverName]));
  const types = databaseTypes.filter(({ type }) => databases.some((database) => database.type === type));
  return (
    <div className={panelStyles.panel}>
      <div className={panelStyles.head}>
        <FilterField
          of="databases"
          by="name"
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <Segments
          legend="Status"
          value={filter.status}
          options={groups
            .filter((group) => group !== 'other' || all.other > 0)
            .map((value) => ({ value, label: `${groupNames[value]} ${formatCount(shown.counts[value])}` }))}
          onChange={(status) => setFilter({ ...filter, status })}
        />
        <FilterChoice
          label="Type"
          all="All types"
          value={filter.type}
          options={types.map(({ type, title }) => [type, title])}
          onChange={(chosen) => {
            const type = types.find((each) => each.type === chosen)?.type ?? 'all';
            setFilter({ ...filter, type });
          }}
        />
        <FilterChoice
          label="Server"
          all="All servers"
          value={filter.serverId}
          options={[...servers]}
          onChange={(serverId) => setFilter({ ...filter, serverId })}
        />
      </div>
      {shown.databases.length === 0 ? (
        <NothingMatches onClear={() => setFilter(noFilter)} />
      ) : (
        <DatabasesTable databases={shown.databases} statusOf={statusOf} />
      )}
    </div>
  );
}
