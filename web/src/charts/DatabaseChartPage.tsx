import type { Database } from '@homeport/contract/databases/schema';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { apiQuery } from '../data/api-query.ts';
import { useApi } from '../data/use-api.ts';
import { ChartMissing } from './ChartMissing.tsx';
import { type ChartSearch, readAddress } from './chart-address.ts';
import { LargeChart } from './LargeChart.tsx';
import { databaseMeasures, measureOf } from './lines/measures.ts';
import type { Subject } from './lines/subject.ts';

const route = '/frame/databases/$longname/chart/$measure';

/** One measure of a database, beside that of other databases. */
export function DatabaseChartPage() {
  const { longname } = useParams({ from: route });
  const { id } = useSearch({ from: route });
  const databases = useApi('GET /api/databases');
  const named = databases.data?.filter((each) => each.longname === longname) ?? [];
  // Two servers may have databases of the same name, and so may two types.
  const database = named.length === 1 ? named[0] : named.find((each) => each.id === id);
  if (database && databases.data) return <OfDatabase database={database} databases={databases.data} />;
  return <ChartMissing what="database" query={databases} />;
}

function OfDatabase({ database, databases }: { database: Database; databases: readonly Database[] }) {
  const { measure } = useParams({ from: route });
  const search = useSearch({ from: route });
  const navigate = useNavigate();
  const name = measureOf(databaseMeasures, measure, 'memory');
  const { id, longname } = database;
  const show = (next: ChartSearch, chosen: string = name) =>
    void navigate({
      to: '/databases/$longname/chart/$measure',
      params: { longname, measure: chosen },
      search: { ...next, id },
    });
  const { range, query, keys, ways } = readAddress(search, show);
  const marks = useApi('GET /api/databases/:id/marks', { params: { id }, query });
  const compared = databases.filter((each) => each !== database && keys.includes(each.id));
  const subjectOf = (each: Database): Subject => ({
    key: each.id,
    name: each.name,
    totals: null,
    series: apiQuery('GET /monitor/databases/:id/series', {
      params: { id: each.id },
      query: { measure: name, ...query },
    }),
  });
  return (
    <LargeChart
      crumbs={
        <>
          <Link to="/databases">Databases</Link>
          <span aria-hidden="true">›</span>
          <Link to="/databases/$longname" params={{ longname }} search={{ id }}>
            {database.name}
          </Link>
        </>
      }
      measureName={name}
      measures={databaseMeasures}
      measure={databaseMeasures[name]}
      range={range}
      subjects={[database, ...compared].map(subjectOf)}
      others={databases
        .filter((each) => each !== database && !compared.includes(each))
        .map((each) => ({ key: each.id, name: `${each.name} on ${each.serverName}` }))}
      marks={marks.data}
      {...ways}
    />
  );
}
