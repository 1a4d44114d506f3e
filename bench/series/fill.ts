import { courseOf } from '@homeport/monitor';
import { fillHistory, type Store } from '@homeport/store';

const tables = ['raw', 'hourly', 'daily', 'monthly'] as const;
export const historyDays = 365;
const stepMs = 180_000;

/**
 * Gives servers a year of history in all four horizons, as long as each is kept. The cost of a page depends on the number of rows
 * and not on their values, so one made-up history is copied to the other servers inside PostgreSQL.
 */
export async function fillYear({ pool }: Store, series: readonly number[], model: number): Promise<void> {
  const { rows } = await pool.query('select 1 from series.server_daily where series = $1 limit 2', [model]);
  if (rows.length < 2) {
    const now = Date.now();
    const client = await pool.connect();
    await fillHistory(client, {
      servers: [{ series: model, since: now, course: courseOf(model) }],
      depth: 'kept',
      now,
      until: now - 2 * stepMs,
      days: historyDays,
      intervalSeconds: stepMs / 1000,
    }).finally(() => client.release());
  }
  const others = series.filter((one) => one !== model);
  for (const horizon of tables) {
    const table = `series.server_${horizon}`;
    const columns = await columnsOf(pool, horizon);
    // Rows are written in the order of time, like reports, so the rows of one server lie far apart.
    await pool.query(
      `insert into ${table} (series, ${columns})
       select unnest($1::integer[]), ${columns} from (select * from ${table} where series = $2 order by ts) model
       on conflict do nothing`,
      [others, model],
    );
  }
}

async function columnsOf(pool: Store['pool'], horizon: (typeof tables)[number]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'series' and table_name = $1 and column_name <> 'series' order by ordinal_position`,
    [`server_${horizon}`],
  );
  return rows.map(({ name }) => name).join(', ');
}
