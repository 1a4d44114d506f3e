import type { Server } from '@homeport/contract/servers/schema';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { apiQuery } from '../data/api-query.ts';
import { useApi } from '../data/use-api.ts';
import { ChartMissing } from './ChartMissing.tsx';
import { type ChartSearch, readAddress } from './chart-address.ts';
import { LargeChart } from './LargeChart.tsx';
import { measureOf, serverMeasures } from './lines/measures.ts';
import type { Subject } from './lines/subject.ts';

/** One measure of a server, beside that of other servers. */
export function ServerChartPage() {
  const { key } = useParams({ from: '/frame/server/$key/chart/$measure' });
  const servers = useApi('GET /api/servers');
  const server = servers.data?.find((each) => each.key === key);
  if (server && servers.data) return <OfServer server={server} servers={servers.data} />;
  return <ChartMissing what="server" query={servers} />;
}

function OfServer({ server, servers }: { server: Server; servers: readonly Server[] }) {
  const route = '/frame/server/$key/chart/$measure';
  const params = useParams({ from: route });
  const search = useSearch({ from: route });
  const navigate = useNavigate();
  const dumps = useApi('GET /monitor/dumps');
  const name = measureOf(serverMeasures, params.measure, 'cpu');
  const show = (next: ChartSearch, measure: string = name) =>
    void navigate({ to: '/server/$key/chart/$measure', params: { key: server.key, measure }, search: next });
  const { range, query, keys, ways } = readAddress(search, show);
  const marks = useApi('GET /api/servers/:id/marks', { params: { id: server.id }, query });
  const compared = servers.filter((each) => each !== server && keys.includes(each.key));
  const subjectOf = (each: Server): Subject => ({
    key: each.key,
    name: each.name,
    totals: dumps.data?.find(({ serverId }) => serverId === each.id) ?? null,
    series:
      each.monitorId === null
        ? null
        : apiQuery('GET /monitor/dump/:monitorId/series', {
            params: { monitorId: each.monitorId },
            query: { measure: name, ...query },
          }),
  });
  return (
    <LargeChart
      crumbs={
        <>
          <Link to="/servers">Servers</Link>
          <span aria-hidden="true">›</span>
          <Link to="/server/$key" params={{ key: server.key }}>
            {server.name}
          </Link>
        </>
      }
      measureName={name}
      measures={serverMeasures}
      measure={serverMeasures[name]}
      range={range}
      subjects={[server, ...compared].map(subjectOf)}
      others={servers.filter(
        (each) => each !== server && each.monitorId !== null && !compared.includes(each),
      )}
      marks={marks.data}
      {...ways}
    />
  );
}
