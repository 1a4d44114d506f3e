import type { App } from '@homeport/contract/apps/schema';
import { useDeferredValue, useMemo, useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { classNames } from '../../ui/class-names.ts';
import { NothingMatches } from '../../ui/feedback/States.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import layout from '../../ui/layout/layout.module.css';
import panelStyles from '../../ui/layout/panel.module.css';
import { formatCount } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { useAppStates } from '../use-app-states.ts';
import styles from './AppsPanel.module.css';
import { AppsTable } from './AppsTable.tsx';
import { type AppFilter, filterApps, noFilter } from './filter-apps.ts';
import { offlineApps } from './offline-apps.ts';

const statusNames: Record<AppFilter['status'], string> = {
  all: 'All',
  running: 'Running',
  crashed: 'Crashed',
  paused: 'Paused',
  undeployed: 'Not deployed',
  missing: 'Gone',
};
const statuses = Object.keys(statusNames) as AppFilter['status'][];
/** These have a segment even while no app has the status. */
const always: readonly AppFilter['status'][] = ['all', 'running', 'paused'];

/** The list of apps with its filters. React defers the update of the rows, so that typing never lags. */
export function AppsPanel({ apps, onExplain }: { apps: readonly App[]; onExplain: (app: App) => void }) {
  const [filter, setFilter] = useState(noFilter);
  const followed = useDeferredValue(filter);
  const states = useAppStates();
  const { stateOf } = states;
  const shown = useMemo(() => filterApps(apps, stateOf, followed), [apps, stateOf, followed]);
  const checked = useApi('GET /monitor/uptime').data;
  const offline = useMemo(() => offlineApps(checked ?? []), [checked]);
  const checks = useMemo(() => new Map(checked?.map((each) => [each.appId, each])), [checked]);
  const servers = new Map(apps.map((app) => [app.serverId, app.serverName]));
  const all = filterApps(apps, stateOf, noFilter).counts;
  return (
    <div className={panelStyles.panel}>
      <div className={panelStyles.head}>
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
            .filter((status) => always.includes(status) || all[status] > 0)
            .map((value) => ({ value, label: `${statusNames[value]} ${formatCount(shown.counts[value])}` }))}
          onChange={(status) => setFilter({ ...filter, status })}
        />
        <label className={classNames(layout.row, typography.small, typography.muted, styles.server)}>
          Server
          <select
            className={controlsStyles.select}
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
        <AppsTable
          apps={shown.apps}
          states={states}
          offline={offline}
          checks={checks}
          onExplain={onExplain}
        />
      )}
    </div>
  );
}
