import type { DomainClaim } from '@homeport/contract/proxies/schema';
import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { notFound, ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { readClaim } from './list-claims.ts';

/**
 * Keeps the word of the console's owner about whose a domain is, or takes it back. A domain has one such word at most. Who proved the
 * domain in DNS keeps it: then `conflict` is thrown. Only the owner of the console may call this, so no account scopes it.
 */
export function vouch(
  db: Kysely<Database>,
  { id, vouched, now }: { id: string; vouched: boolean; now: number },
): Promise<DomainClaim> {
  return db.transaction().execute(async (transaction) => {
    const asked = await transaction
      .selectFrom('proxies')
      .select('domain')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!asked) throw notFound('proxy');
    const rows = await transaction
      .selectFrom('proxies')
      .select(['id', 'owner_id', 'domain', 'holds', 'owned', 'granted_at'])
      .where('domain', '=', asked.domain)
      .orderBy('id')
      .forUpdate()
      .execute();
    const [row, others] = [rows.find((each) => each.id === id), rows.filter((each) => each.id !== id)];
    if (!row) throw notFound('proxy');
    if (vouched && others.some(({ holds, owned }) => holds && (owned === 'zone' || owned === 'txt')))
      throw new ProblemError('conflict', `Another account proved ${row.domain} in DNS, and keeps it.`);
    // Another row gives the name up before this one takes it, because one row holds it at a time.
    const losing = vouched ? others.filter(({ holds, granted_at }) => holds || granted_at !== null) : [row];
    for (const each of losing) await takeBack(transaction, each, { keepsName: !vouched, now });
    if (vouched) await give(transaction, id, now);
    for (const each of new Set([...losing, row]))
      await notifyChange(transaction, each.owner_id, 'proxies', each.id);
    return readClaim(transaction, id);
  });
}

/** The next check comes at once and finds whether DNS leads here. A result of a check that is under way knows nothing of this. */
const checkedAnew = (now: number) => ({ check_due_at: now, check_version: sql<number>`check_version + 1` });

async function give(db: Kysely<Database>, id: string, now: number): Promise<void> {
  await db
    .updateTable('proxies')
    .set({ ...checkedAnew(now), granted_at: now, owned: 'granted', holds: true })
    .where('id', '=', id)
    .execute();
}

/** Without a proof in DNS nobody answers the domain from now on: no bad day of a resolver excuses what the owner decided. */
async function takeBack(
  db: Kysely<Database>,
  { id, owned }: { id: string; owned: string },
  { keepsName, now }: { keepsName: boolean; now: number },
): Promise<void> {
  const isOnlyProof = owned !== 'zone' && owned !== 'txt';
  await db
    .updateTable('proxies')
    .set({
      ...checkedAnew(now),
      ...(!keepsName && { holds: false }),
      granted_at: null,
      ...(isOnlyProof && {
        ...{ owned: 'missing', allowed: false },
        unserved_at: sql<number | null>`case when allowed then ${now}::bigint else unserved_at end`,
        failing_since: sql<number>`coalesce(failing_since, ${now}::bigint)`,
      }),
    })
    .where('id', '=', id)
    .execute();
}
