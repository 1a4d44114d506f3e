import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';

/** Every row of every table except `besides` as text, to search for what must not be there. */
export async function textOfStore(db: Kysely<Database>, besides: readonly string[] = []): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'auth')`.execute(db);
  const texts = await Promise.all(
    tables
      .filter(({ name }) => !besides.includes(name))
      .map(async ({ name }) => {
        const { rows } = await sql`select t::text as line from ${sql.raw(name)} t`.execute(db);
        return JSON.stringify(rows);
      }),
  );
  return texts.join('\n');
}
