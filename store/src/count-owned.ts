import { sql } from 'kysely';
import type { OwnerWrite } from './owner.ts';

/** What a person adds to within a ceiling. */
export type Owned = 'servers' | 'keys' | 'apps' | 'invitations';

/**
 * Counts what a person has of a kind, for a transaction that adds to it. Others who add the same wait until this
 * transaction ends, so of two at once the second counts what the first one added. Simulated servers do not count, nor
 * invitations that are over; an app counts from the moment that its creation is asked for.
 */
export async function countOwned(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  kind: Owned,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport ${kind} ${owner}`}, 0))`.execute(db);
  // A statement of its own: its snapshot is taken after the lock was given.
  const { rows } = await sql<{ held: number }>`select ${counts[kind](owner)}::integer as held`.execute(db);
  return rows[0]?.held ?? 0;
}

const counts = {
  servers: (owner: string) => sql`(select count(*) from servers where owner_id = ${owner} and not simulated)`,
  keys: (owner: string) => sql`(select count(*) from keys where owner_id = ${owner})`,
  apps: (owner: string) => sql`(select count(*) from apps where owner_id = ${owner})
    + (select count(*) from operations where owner_id = ${owner} and kind = 'app.create' and app_id is null
      and state in ('queued', 'running', 'waiting'))`,
  invitations: (owner: string) =>
    sql`(select count(*) from invitations where owner_id = ${owner} and accepted_at is null and withdrawn_at is null)`,
} satisfies Record<Owned, (owner: string) => unknown>;
