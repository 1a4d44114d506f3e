import { sql } from 'kysely';
import type { OwnerWrite } from './owner.ts';

/** The kinds of record that have a ceiling per person. */
export type Owned =
  | 'servers'
  | 'keys'
  | 'apps'
  | 'databases'
  | 'proxies'
  | 'invitations'
  | 'tokens'
  | 'passkeys'
  | 'destinations'
  | 'status pages';

/**
 * Counts a person's records of a kind, for a transaction that adds one. Other transactions that add the same kind wait until
 * this one ends, so the second of two counts the record that the first added. Simulated servers and used or withdrawn
 * invitations do not count, and neither does the address of the account as a destination. An app or a database counts from the request for its creation.
 */
export async function countOwned(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  kind: Owned,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport ${kind} ${owner}`}, 0))`.execute(db);
  // This needs a statement of its own, whose snapshot is taken after the lock was granted.
  const { rows } = await sql<{ held: number }>`select ${counts[kind](owner)}::integer as held`.execute(db);
  return rows[0]?.held ?? 0;
}

/**
 * The bytes of the rules of one proxy and of all proxies of a person, for a transaction that changed some. Other transactions that
 * change rules of this person wait here until this one ends, so their sums have this one's rules.
 */
export async function weighRules(
  { owner, db }: Pick<OwnerWrite, 'owner' | 'db'>,
  proxyId: string,
): Promise<{ ofProxy: number; ofAccount: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport rule bytes ${owner}`}, 0))`.execute(db);
  const { rows } = await sql<{ ofProxy: number; ofAccount: number }>`
    select coalesce(sum(rule_bytes) filter (where id = ${proxyId}), 0)::integer as "ofProxy",
      coalesce(sum(rule_bytes), 0)::float8 as "ofAccount" from proxies where owner_id = ${owner}`.execute(db);
  return rows[0] ?? { ofProxy: 0, ofAccount: 0 };
}

const counts = {
  servers: (owner: string) => sql`(select count(*) from servers where owner_id = ${owner} and not simulated)`,
  keys: (owner: string) => sql`(select count(*) from keys where owner_id = ${owner})`,
  apps: (owner: string) => sql`(select count(*) from apps where owner_id = ${owner})
    + (select count(*) from operations where owner_id = ${owner} and kind = 'app.create' and app_id is null
      and state in ('queued', 'running', 'waiting'))`,
  databases: (owner: string) => sql`(select count(*) from databases where owner_id = ${owner})
    + (select count(*) from operations where owner_id = ${owner} and kind = 'database.create' and database_id is null
      and state in ('queued', 'running', 'waiting'))`,
  tokens: (owner: string) => sql`(select count(*) from api_tokens where owner_id = ${owner})`,
  passkeys: (owner: string) => sql`(select count(*) from passkeys where owner_id = ${owner})`,
  proxies: (owner: string) => sql`(select count(*) from proxies where owner_id = ${owner})`,
  destinations: (owner: string) =>
    sql`(select count(*) from notice_destinations where owner_id = ${owner} and kind <> 'email')`,
  'status pages': (owner: string) => sql`(select count(*) from status_pages where owner_id = ${owner})`,
  invitations: (owner: string) =>
    sql`(select count(*) from invitations where owner_id = ${owner} and accepted_at is null and withdrawn_at is null)`,
} satisfies Record<Owned, (owner: string) => unknown>;
