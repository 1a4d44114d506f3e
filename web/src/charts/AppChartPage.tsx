import type { App } from '@homeport/contract/apps/schema';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { apiQuery } from '../data/api-query.ts';
import { useApi } from '../data/use-api.ts';
import { ChartMissing } from './ChartMissing.tsx';
import { type ChartSearch, readAddress } from './chart-address.ts';
import { LargeChart } from './LargeChart.tsx';
import { appMeasures, measureOf } from './lines/measures.ts';
import type { Subject } from './lines/subject.ts';

const keyOf = ({ serverKey, longname }: Pick<App, 'serverKey' | 'longname'>) => `${serverKey}/${longname}`;

/** One measure of an app, beside that of other apps. */
export function AppChartPage() {
  const { server, longname } = useParams({ from: '/frame/app/$server/$longname/chart/$measure' });
  const apps = useApi('GET /api/apps');
  const app = apps.data?.find((each) => keyOf(each) === `${server}/${longname}`);
  if (app && apps.data) return <OfApp app={app} apps={apps.data} />;
  return <ChartMissing what="app" query={apps} />;
}

function OfApp({ app, apps }: { app: App; apps: readonly App[] }) {
  const route = '/frame/app/$server/$longname/chart/$measure';
  const params = useParams({ from: route });
  const search = useSearch({ from: route });
  const navigate = useNavigate();
  const name = measureOf(appMeasures, params.measure, 'memory');
  const place = { server: app.serverKey, longname: app.longname };
  const show = (next: ChartSearch, measure: string = name) =>
    void navigate({
      to: '/app/$server/$longname/chart/$measure',
      params: { ...place, measure },
      search: next,
    });
  const { range, query, keys, ways } = readAddress(search, show);
  const marks = useApi('GET /api/apps/:id/marks', { params: { id: app.id }, query });
  const compared = apps.filter((each) => each !== app && keys.includes(keyOf(each)));
  const subjectOf = (each: App): Subject => ({
    key: keyOf(each),
    name: each.name,
    totals: null,
    series: apiQuery('GET /monitor/apps/:monitorId/series', {
      params: { monitorId: each.monitorId },
      query: { measure: name, ...query },
    }),
  });
  return (
    <LargeChart
      crumbs={
        <>
          <Link to="/apps">Applications</Link>
          <span aria-hidden="true">›</span>
          <Link to="/app/$server/$longname" params={place}>
            {app.name}
          </Link>
        </>
      }
      measureName={name}
      measures={appMeasures}
      measure={appMeasures[name]}
      range={range}
      subjects={[app, ...compared].map(subjectOf)}
      others={apps
        .filter((each) => each !== app && !compared.includes(each))
        .map((each) => ({ key: keyOf(each), name: each.name }))}
      marks={marks.data}
      {...ways}
    />
  );
}
