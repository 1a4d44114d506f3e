import type pg from 'pg';

export type DataFacts = {
  /** As PostgreSQL says it: `18.4`, or with its packager's words behind. */
  postgres: string;
  postgresStartedAt: number;
  bytes: number;
  /** The last step of the schema that ran here, and when. */
  schema: number;
  schemaAt: number;
};

/** What PostgreSQL says of itself and of the console's data. */
export async function readDataFacts(pool: pg.Pool): Promise<DataFacts> {
  const { rows } = await pool.query<DataFacts>(
    `select current_setting('server_version') as postgres,
       (extract(epoch from pg_postmaster_start_time()) * 1000)::bigint as "postgresStartedAt",
       pg_database_size(current_database()) as bytes,
       max(number) as schema, (extract(epoch from max(applied_at)) * 1000)::bigint as "schemaAt"
     from migration`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL answered no row.');
  return facts;
}
