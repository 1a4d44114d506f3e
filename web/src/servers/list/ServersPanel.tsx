import { serverStatuses, serverStatusText } from '@homeport/contract/servers/health';
import { useDeferredValue, useMemo, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { NothingMatches } from '../../ui/feedback/States.tsx';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { formatCount } from '../../ui/text/format.ts';
import styles from './ServersPanel.module.css';
import { ServersTable, type ServersTableProps } from './ServersTable.tsx';
import { filterServers, noFilter, type ServerFilter } from './server-rows.ts';

const statuses: readonly ServerFilter['status'][] = ['all', ...serverStatuses];
const nameOf = (status: ServerFilter['status']) =>
  status === 'all' ? 'All' : status === 'no-data' ? 'No data' : serverStatusText(status);

/** The list of servers with its filters. React defers the update of the rows, so that typing never lags. */
export function ServersPanel({ lines, ...table }: ServersTableProps) {
  const [filter, setFilter] = useState(noFilter);
  const followed = useDeferredValue(filter);
  const shown = useMemo(() => filterServers(lines, followed), [lines, followed]);
  return (
    <section className={classNames(panelStyles.panel, styles.list)} aria-label="Servers">
      <div className={panelStyles.head}>
        <FilterField
          of="servers"
          by="name, IP, place"
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <Segments
          legend="Status"
          value={filter.status}
          options={statuses.map((value) => ({
            value,
            label: `${nameOf(value)} ${formatCount(shown.counts[value])}`,
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
