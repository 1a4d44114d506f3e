import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';

const keptMs = 86_400_000;
export const purgesAtOnce = 1_000;

/** Asks every data plane to drop the cached answers whose address begins with the text. The purge's version grows with each purge. */
export async function addPurge(db: Kysely<Database>, startsWith: string, now: number): Promise<void> {
  await sql`insert into purges (starts_with, created_at) values (${startsWith}, ${now})`.execute(db);
}

export type Purge = { version: number; startsWith: string };

/** The purges above a version, in order: at most `purgesAtOnce` of them. */
export async function readPurges(pool: pg.Pool, above: number): Promise<Purge[]> {
  const { rows } = await pool.query<Purge>(
    'select version, starts_with as "startsWith" from purges where version > $1 order by version limit $2',
    [above, purgesAtOnce],
  );
  return rows;
}

/** The newest purge before a time: a plane whose cache was empty then needs no earlier one. */
export async function latestPurge(pool: pg.Pool, before: number): Promise<number> {
  const { rows } = await pool.query<{ version: number }>(
    'select coalesce(max(version), 0)::bigint as version from purges where created_at < $1',
    [before],
  );
  return rows[0]?.version ?? 0;
}

/** Removes purges that every plane has seen, or does not need any more. */
export async function forgetPurges(pool: pg.Pool, now: number): Promise<void> {
  await pool.query('delete from purges where created_at < $1', [now - keptMs]);
}
