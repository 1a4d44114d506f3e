import { deletedNameLockedMs } from '@homeport/contract/proxies/facts';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';

/**
 * Whether a new proxy of this person holds its domain from the start: nobody else holds it, and no other account deleted a proxy of
 * it in the last 30 days. For the transaction that adds the proxy; the unique index decides between two that add it at once.
 */
export async function nameIsFree(
  db: Kysely<Database>,
  { ownerId, domain, now }: { ownerId: string; domain: string; now: number },
): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select
      not exists (select from proxies where domain = ${domain} and holds)
      and not exists (select from freed_names
        where domain = ${domain} and owner_id <> ${ownerId} and freed_at > ${now - deletedNameLockedMs}) as free`.execute(
    db,
  );
  return rows[0]?.free ?? false;
}

/** Removes names whose lock has long ended. A plane that was away for so long reads the whole list of served proxies anyway. */
export async function forgetNames(pool: pg.Pool, now: number): Promise<void> {
  await pool.query('delete from freed_names where freed_at < $1', [now - 2 * deletedNameLockedMs]);
}
