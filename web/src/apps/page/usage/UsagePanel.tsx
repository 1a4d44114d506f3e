import { type AppState, isDeployed } from '@homeport/contract/apps/health';
import { storageCapGb } from '@homeport/contract/limits';
import type { AppStats } from '@homeport/contract/stats/schema';
import { UsageFigures } from '../../../container-usage/UsageFigures.tsx';
import { useUsage } from '../../../container-usage/use-usage.ts';
import { apiQuery } from '../../../data/api-query.ts';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Fact } from '../../../ui/layout/Fact.tsx';
import panelStyles from '../../../ui/layout/panel.module.css';
import { formatBytes, formatPercent, noData } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { reportedUse, type StorageUse, storageUse } from './storage-use.ts';

/** The app's use of resources, from its server's reports. Must stand inside a ChartGroup. */
export function UsagePanel({ place, state }: { place: AppPlace; state: AppState }) {
  const { app } = place;
  const { latest, data } = useUsage(
    apiQuery('GET /monitor/apps/:monitorId', { params: { monitorId: app.monitorId } }),
  );
  return (
    <Chart
      id="usage"
      title="Resource Usage"
      scale="percent"
      format={(value) => formatPercent(value)}
      data={data}
      measured={
        latest && (
          <>
            {state.kind === 'running' ? 'Measured' : 'Last measured'} <Time at={latest.updated} />
          </>
        )
      }
      large={
        <ButtonLink
          to="/app/$server/$longname/chart/$measure"
          params={{ server: app.serverKey, longname: app.longname, measure: 'memory-share' }}
          {...{ variant: 'ghost', size: 'sm', icon: 'search', iconOnly: true }}
          aria-label="Resource Usage over any range"
          title="Resource Usage over any range"
        />
      }
      emptyHint={emptyHint(place)}
    >
      {latest && <Figures stats={latest} place={place} />}
      {latest === null && <StorageAlone place={place} />}
    </Chart>
  );
}

interface FiguresProps {
  stats: AppStats;
  place: AppPlace;
}

function Figures({ stats, place }: FiguresProps) {
  const read = useOnServer('GET /api/apps/:id/storage', place, 'resource-usage').state;
  // Over a connection the figure is of this moment; the agent's is some hours old.
  const storage = read.kind === 'ready' ? storageUse(read.data) : reportedUse(stats);
  return (
    <>
      <UsageFigures stats={stats}>
        <Fact name="Storage">
          <StorageFigure use={storage} />
        </Fact>
      </UsageFigures>
      {storage?.kind === 'known' && (
        <p className={classNames(panelStyles.foot, typography.extraSmall)}>
          <span>
            Storage measured <Time at={storage.measuredAt} />
          </span>
        </p>
      )}
    </>
  );
}

/** Stands in the place of the line that the answer fills. */
const askingForStorage = 'Asking the server for the storage';

/** Storage is measured over the connection, so it needs no report. */
function StorageAlone({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/storage', place, 'resource-usage');
  if (state.kind !== 'ready' && state.kind !== 'loading') return null;
  const storage = state.kind === 'ready' ? storageUse(state.data) : null;
  return (
    <p className={classNames(panelStyles.foot, typography.extraSmall)}>
      <span>
        {storage === null ? (
          askingForStorage
        ) : (
          <>
            Storage <StorageFigure use={storage} />
            {storage.kind === 'known' && (
              <>
                , measured <Time at={storage.measuredAt} />
              </>
            )}
          </>
        )}
      </span>
    </p>
  );
}

/** `use` is null until the server was asked. */
function StorageFigure({ use }: { use: StorageUse | null }) {
  switch (use?.kind) {
    case undefined:
      return <span className={typography.subtle}>{noData}</span>;
    case 'none':
      return <small>none persistent</small>;
    case 'unknown':
      return <small>not known</small>;
    case 'known':
      return (
        <>
          {formatBytes(use.bytes)} <small>of {storageCapGb} GB</small>
        </>
      );
  }
}

function emptyHint({ app, server }: AppPlace): string {
  if (server.simulated) return 'The apps of a simulated server are not measured.';
  if (app.stopped) return 'The app is stopped, and nothing was measured before.';
  if (!isDeployed(app))
    return 'Nothing runs yet. The first point comes with the report after the first deploy.';
  return 'No report of this server has named its containers yet. The agent reports every 3 minutes.';
}
