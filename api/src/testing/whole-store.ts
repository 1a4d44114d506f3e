import type { Store } from '@homeport/store';
import { sql } from 'kysely';

/** Every value of every table, as text. */
export async function wholeStore(db: Store['db']): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const parts: string[] = [];
  for (const { schema, name } of tables.rows) {
    const rows = await sql<{
      row: string;
    }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    parts.push(...rows.rows.map((each) => each.row));
  }
  return parts.join('\n');
}
