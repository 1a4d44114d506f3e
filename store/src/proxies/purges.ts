import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';

const keptMs = 86_400_000;
export const purgesAtOnce = 1_000;

/**
 * Asks every data plane to drop the cached answers whose address begins with the text. The purge's version grows with each purge. For
 * whoever runs the planes: a person's purge is `addPurgeOf` the proxy.
 */
export async function addPurge(db: Kysely<Database>, startsWith: string, now: number): Promise<void> {
  await sql`insert into purges (starts_with, created_at) values (${startsWith}, ${now})`.execute(db);
}

const schemes = ['http', 'https'] as const;

/**
 * As `addPurge`, for the http and the https form of a path of a proxy's domain. A row of a proxy proves nothing about its domain, so
 * only a proxy that is served purges it. Gives the beginnings; empty where the proxy is not served.
 */
export async function addPurgeOf(
  db: Kysely<Database>,
  { proxyId, path, now }: { proxyId: string; path: string; now: number },
): Promise<string[]> {
  const { rows } = await sql<{ startsWith: string }>`
    insert into purges (starts_with, created_at, proxy_id)
    select scheme || '://' || domain || ${path}, ${now}::bigint, id
    from proxies, unnest(${sql.val([...schemes])}::text[]) as scheme where id = ${proxyId} and holds and allowed
    order by scheme
    returning starts_with as "startsWith"`.execute(db);
  return rows.map(({ startsWith }) => startsWith);
}

/** When the last purges of a proxy were, newest first. */
export async function lastPurgesOf(
  db: Kysely<Database>,
  { proxyId, since, atMost }: { proxyId: string; since: number; atMost: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('purges')
    .select('created_at')
    .where('proxy_id', '=', proxyId)
    .where('created_at', '>', since)
    .where('starts_with', 'like', `${schemes[0]}:%`)
    .orderBy('created_at', 'desc')
    .limit(atMost)
    .execute();
  return rows.map(({ created_at }) => created_at);
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
