import { useDeferredValue, useMemo, useState } from 'react';
import { FilterField } from '../ui/FilterField.tsx';
import { formatCount } from '../ui/format.ts';
import { Segments } from '../ui/Segments.tsx';
import { NothingMatches } from '../ui/States.tsx';
import { ServersTable, type ServersTableProps } from './ServersTable.tsx';
import { filterServers, noFilter, type ServerFilter } from './server-rows.ts';

const statusNames: Record<ServerFilter['status'], string> = {
  all: 'All',
  online: 'Online',
  offline: 'Offline',
  'no-data': 'No data',
};
const statuses = Object.keys(statusNames) as ServerFilter['status'][];

/** The list with its filters; typing stays fluent because the rows follow a moment later. */
export function ServersPanel({ lines, ...table }: ServersTableProps) {
  const [filter, setFilter] = useState(noFilter);
  const followed = useDeferredValue(filter);
  const shown = useMemo(() => filterServers(lines, followed), [lines, followed]);
  return (
    <section className="panel serverlist" aria-label="Servers">
      <div className="panel-h">
        <FilterField
          of="servers"
          by="name or IP"
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <Segments
          legend="Status"
          value={filter.status}
          options={statuses.map((value) => ({
            value,
            label: `${statusNames[value]} ${formatCount(shown.counts[value])}`,
          }))}
          onChange={(status) => setFilter({ ...filter, status })}
        />
      </div>
      {shown.lines.length === 0 ? (
        <NothingMatches onClear={() => setFilter(noFilter)} />
      ) : (
        <ServersTable lines={shown.lines} {...table} />
      )}
    </section>
  );
}
