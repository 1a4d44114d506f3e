import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypes } from '@homeport/contract/databases/types/database-types';
import { useDeferredValue, useMemo, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { NothingMatches } from '../../ui/feedback/States.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import layout from '../../ui/layout/layout.module.css';
import panelStyles from '../../ui/layout/panel.module.css';
import { formatCount } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { useDatabaseStatuses } from '../use-database-statuses.ts';
import styles from './DatabasesPanel.module.css';
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
        <Choice
          label="Type"
          all="All types"
          value={filter.type}
          options={types.map(({ type, title }) => [type, title])}
          onChange={(chosen) => {
            const type = types.find((each) => each.type === chosen)?.type ?? 'all';
            setFilter({ ...filter, type });
          }}
        />
        <Choice
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

interface ChoiceProps {
  label: string;
  /** The option that filters nothing. */
  all: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <label className={classNames(layout.row, typography.small, typography.muted, styles.choice)}>
      {label}
      <select
        className={controlsStyles.select}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="all">{all}</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
