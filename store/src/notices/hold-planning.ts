import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../database.ts';

/** SQL: until the transaction ends, nothing is planned for the destination $1. */
export const holdPlanningSql = `select pg_advisory_xact_lock(hashtextextended('homeport notices ' || $1::text, 0))`;

/** Until the transaction ends, nothing is planned for the destination. */
export async function holdPlanning(db: Kysely<Database>, destination: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(holdPlanningSql, [destination]));
}
