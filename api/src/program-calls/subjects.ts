import type { CallSubjectKind } from '@homeport/contract/program-calls/facts';
import type { OwnerRead } from '@homeport/store';
import { type RawBuilder, sql } from 'kysely';
import type { CallSubject } from '../http/note-call.ts';

/** Where the records of each kind are, and what they are called. */
const records: Record<CallSubjectKind, { table: string; name: RawBuilder<string>; id: 'uuid' | 'text' }> = {
  server: { table: 'servers', name: sql`name`, id: 'uuid' },
  app: { table: 'apps', name: sql`name`, id: 'uuid' },
  database: { table: 'databases', name: sql`name`, id: 'uuid' },
  proxy: { table: 'proxies', name: sql`domain`, id: 'uuid' },
  operation: { table: 'operations', name: sql`title`, id: 'uuid' },
  domain: { table: 'zones', name: sql`name`, id: 'text' },
  key: { table: 'keys', name: sql`name`, id: 'text' },
};

export const subjectKey = ({ kind, id }: CallSubject): string => `${kind} ${id}`;

/** The names of those records that are the person's. */
export async function namesOfSubjects(
  { db, owner }: OwnerRead,
  subjects: readonly CallSubject[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const kind of new Set(subjects.map((each) => each.kind))) {
    const { table, name, id: type } = records[kind];
    const ids = [...new Set(subjects.filter((each) => each.kind === kind).map(({ id }) => id))];
    const known = type === 'uuid' ? ids.filter((id) => uuid.test(id)) : ids;
    const { rows } = await sql<{ id: string; name: string }>`
      select id::text as id, ${name} as name from ${sql.table(table)}
        where owner_id = ${owner} and id = any(${known}::${sql.raw(type)}[])`.execute(db);
    for (const row of rows) names.set(subjectKey({ kind, id: row.id }), row.name);
  }
  return names;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
