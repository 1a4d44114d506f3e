import { statusPageRules } from '@homeport/contract/status-pages/facts';
import type pg from 'pg';
import { renderTimes } from './render-times.ts';

/** A page that this process renders. A render is kept only if it carries this claim. */
export type ClaimedStatusPage = { id: string; claim: number };

const claim = {
  name: 'claim_status_pages',
  text: `with first as (
      select distinct on (owner_id) id from status_pages where published and due_at <= $4 order by owner_id, due_at, id),
    due as (
      select id from status_pages where id in (select id from first) and published and due_at <= $4 and (select may_act())
      order by due_at, id limit $3 for update skip locked)
    update status_pages p set claim = p.claim + 1, claimed_at = $1, seen = pg_current_snapshot()::text, due_at = least($2, (
        select greatest(edge, $1::bigint + $5::bigint) from status_posts o, unnest(array[o.starts_at, o.ends_at]) as edge
        where o.page_id = p.id and edge > $1 order by edge limit 1))
    from due where p.id = due.id returning p.id, p.claim`,
};

/**
 * Claims published pages that were due at `until`, the longest due first and one of each account. The next turn of each is when a
 * maintenance begins or ends, or some minutes later.
 */
export async function claimStatusPages(
  pool: pg.Pool,
  { now, until, atMost }: { now: number; until: number; atMost: number },
): Promise<ClaimedStatusPage[]> {
  const values = [now, now + statusPageRules.renderEveryMs, atMost, until, renderTimes.gap];
  const { rows } = await pool.query<ClaimedStatusPage>({ ...claim, values });
  return rows;
}

/**
 * Makes a page due, because a transaction changed something on it. It stands behind those that were due before, and has a turn each some
 * seconds at most, so that nobody’s edits hold up others. One that was claimed after that transaction has its change already: of several
 * processes that hear of it, one renders.
 */
export async function makeStatusPageDue(
  pool: pg.Pool,
  { page, tx }: { page: string; tx: string },
  now: number,
): Promise<void> {
  await pool.query(
    `update status_pages set due_at = least(due_at, greatest($2::bigint, claimed_at + $4::bigint)) where id = $1 and published
      and (seen is null or not pg_visible_in_snapshot($3::xid8, seen::pg_snapshot))`,
    [page, now, tx, renderTimes.gap],
  );
}

/** A page whose render failed is tried again soon. */
export async function tryStatusPageAgain(
  pool: pg.Pool,
  { id, claim }: ClaimedStatusPage,
  now: number,
): Promise<void> {
  await pool.query('update status_pages set due_at = least(due_at, $3) where id = $1 and claim = $2', [
    ...[id, claim, now + renderTimes.again],
  ]);
}
