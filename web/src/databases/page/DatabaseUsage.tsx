import { UsageFigures } from '../../container-usage/UsageFigures.tsx';
import { useUsage } from '../../container-usage/use-usage.ts';
import { apiQuery } from '../../data/api-query.ts';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Chart } from '../../ui/chart/Chart.tsx';
import { Fact } from '../../ui/layout/Fact.tsx';
import { formatBytes, formatPercent, noData } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import type { DatabasePlace } from './database-place.ts';

/** The database's use of resources, from its server's reports. Must stand inside a ChartGroup. */
export function DatabaseUsage({ place }: { place: DatabasePlace }) {
  const { database, status } = place;
  const { latest, data } = useUsage(apiQuery('GET /monitor/databases/:id', { params: { id: database.id } }));
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
            {status === 'online' ? 'Measured' : 'Last measured'} <Time at={latest.updated} />
          </>
        )
      }
      large={
        <ButtonLink
          to="/databases/$longname/chart/$measure"
          params={{ longname: database.longname, measure: 'memory-share' }}
          search={{ id: database.id }}
          {...{ variant: 'ghost', size: 'sm', icon: 'search', iconOnly: true }}
          aria-label="Resource Usage over any range"
          title="Resource Usage over any range"
        />
      }
      emptyHint={emptyHint(place)}
    >
      {latest && (
        <UsageFigures stats={latest}>
          <Fact name="Data">
            {database.dataBytes === null ? (
              <span className={typography.subtle}>{noData}</span>
            ) : (
              formatBytes(database.dataBytes)
            )}
          </Fact>
        </UsageFigures>
      )}
    </Chart>
  );
}

function emptyHint({ server, status }: DatabasePlace): string {
  if (server.simulated) return 'The databases of a simulated server are not measured.';
  if (!server.agentInstalled && server.credential !== null)
    return 'This server has no monitoring agent, so nothing is measured.';
  if (status === 'online')
    return 'No report of this server has named its container yet. The agent reports every 3 minutes.';
  return 'The database does not run, and nothing was measured before.';
}
