import type { App } from '@homeport/contract/apps';
import { useDeferredValue, useMemo, useState } from 'react';
import { useApi } from '../data/use-api.ts';
import { FilterField } from '../ui/FilterField.tsx';
import { formatCount } from '../ui/format.ts';
import { Segments } from '../ui/Segments.tsx';
import { NothingMatches } from '../ui/States.tsx';
import { AppsTable } from './AppsTable.tsx';
import { type AppFilter, filterApps, noFilter } from './filter-apps.ts';
import { offlineApps } from './offline-apps.ts';

const statusNames: Record<AppFilter['status'], string> = {
  all: 'All',
  running: 'Running',
  paused: 'Paused',
  undeployed: 'Not deployed',
};
const statuses = Object.keys(statusNames) as AppFilter['status'][];

/** The list with its filters; typing stays fluent because the rows follow a moment later. */
export function AppsPanel({ apps, onExplain }: { apps: readonly App[]; onExplain: (app: App) => void }) {
  const [filter, setFilter] = useState(noFilter);
  const followed = useDeferredValue(filter);
  const shown = useMemo(() => filterApps(apps, followed), [apps, followed]);
  const checked = useApi('GET /monitor/uptime').data;
  const offline = useMemo(() => offlineApps(checked ?? []), [checked]);
  const servers = new Map(apps.map((app) => [app.serverId, app.serverName]));
  const anyUndeployed = filterApps(apps, noFilter).counts.undeployed > 0;
  return (
    <div className="panel">
      <div className="panel-h">
        <FilterField
          of="apps"
          by="name or domain"
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <Segments
          legend="Status"
          value={filter.status}
          options={statuses
            .filter((status) => status !== 'undeployed' || anyUndeployed)
            .map((value) => ({ value, label: `${statusNames[value]} ${formatCount(shown.counts[value])}` }))}
          onChange={(status) => setFilter({ ...filter, status })}
        />
        <label className="row sm muted appserver">
          Server
          <select
            className="select"
            value={filter.serverId}
            onChange={(event) => setFilter({ ...filter, serverId: event.currentTarget.value })}
          >
            <option value="all">All servers</option>
            {[...servers].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {shown.apps.length === 0 ? (
        <NothingMatches onClear={() => setFilter(noFilter)} />
      ) : (
        <AppsTable apps={shown.apps} offline={offline} onExplain={onExplain} />
      )}
    </div>
  );
}
