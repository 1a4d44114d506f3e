import { firingEvents } from '@homeport/contract/notifications/kinds';
import type { Acknowledged } from '@homeport/contract/notifications/news-page';
import { sql } from 'kysely';
import type { OwnerWrite } from '../../owner.ts';

/** `over`: the incident has ended. `none`: its news has no end, so it does not go on. */
export type Refusal = 'over' | 'none';

/**
 * Keeps that somebody looks into one of the owner's incidents; null takes that back. Whoever said so first stays, until the incident becomes something else. Undefined where the owner has
 * no such incident. What comes of the incident at the same moment is one statement before or after.
 */
export async function acknowledgeThread(
  { owner, db }: OwnerWrite,
  thread: string,
  who: Acknowledged | null,
): Promise<{ acknowledged: Acknowledged | null } | { refused: Refusal } | undefined> {
  const { rows } = await sql<{ by: string | null; at: number | null }>`
    update notice_threads t set
      acknowledged_at = case when ${who === null} then null when ${isNew} then greatest(${who?.at ?? null}::bigint, ${latest}) else t.acknowledged_at end,
      acknowledged_by = case when ${who === null} then null when ${isNew} then ${who?.by ?? null}::text else t.acknowledged_by end
    where t.id = ${thread} and t.owner_id = ${owner} and t.ended_at is null and ${begins}
    returning acknowledged_by as by, acknowledged_at as at`.execute(db);
  const [kept] = rows;
  if (kept)
    return { acknowledged: kept.by === null || kept.at === null ? null : { by: kept.by, at: kept.at } };
  const present = await db
    .selectFrom('notice_threads')
    .select('ended_at')
    .where('id', '=', thread)
    .where('owner_id', '=', owner)
    .executeTakeFirst();
  return present && { refused: present.ended_at === null ? 'none' : 'over' };
}

/** SQL: nobody has acknowledged the thread `t`, or it became something else since. */
const isNew = sql<boolean>`(t.acknowledged_at is null or exists (
  select from notices n where n.thread_id = t.id and n.event in (${sql.join(firingEvents)}) and n.created_at > t.acknowledged_at))`;

/** SQL: when the newest beginning of the thread `t` was raised. Another machine's clock, which may be ahead, said so. */
const latest = sql<number>`(
  select max(n.created_at) from notices n where n.thread_id = t.id and n.event in (${sql.join(firingEvents)}))`;

/** SQL: the thread `t` has news of a beginning. */
const begins = sql<boolean>`exists (
  select from notices n where n.thread_id = t.id and n.event in (${sql.join(firingEvents)}))`;
