import { fillHistory, type Store } from '@homeport/store';

const tables = ['raw', 'hourly', 'daily', 'monthly'] as const;
export const historyDays = 365;
const stepMs = 180_000;

/**
 * Gives servers a year of the past in all four horizons, as far as each is kept. One past is made up and copied to the
 * others inside PostgreSQL: what a page costs depends on how many rows there are, not on what they say.
 */
export async function fillYear({ pool }: Store, series: readonly number[], model: number): Promise<void> {
  const { rows } = await pool.query('select 1 from series.server_daily where series = $1 limit 2', [model]);
  if (rows.length < 2) {
    const now = Date.now();
    await fillHistory(pool, {
      series: [model],
      now,
      until: now - 2 * stepMs,
      days: historyDays,
      intervalSeconds: stepMs / 1000,
    });
  }
  const others = series.filter((one) => one !== model);
  for (const horizon of tables) {
    const table = `series.server_${horizon}`;
    const columns = await columnsOf(pool, horizon);
    // In the order of time, as reports come: the rows of one server lie far apart.
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
