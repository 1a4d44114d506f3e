import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { OperatedStatusPage } from '@homeport/contract/status-pages/schema';
import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { StatusPageDeps } from './deps.ts';

/** Published pages of all people and those that were taken down, for whoever runs the console. Hidden ones stay their person's own. */
export async function listOperatedPages(
  { store, served }: StatusPageDeps,
  search = '',
): Promise<{ served: boolean; pages: OperatedStatusPage[]; more: boolean }> {
  const most = statusPageLimits.listedForOperator;
  const rows = await operatedPages(store.db)
    .where(({ eb, or }) => or([eb('p.published', '=', true), eb('p.taken_down', 'is not', null)]))
    .where(sql<boolean>`position(lower(${search}) in lower(p.slug || ' ' || p.title)) > 0`)
    .orderBy('p.published', 'desc')
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id')
    .limit(most + 1)
    .execute();
  return { served, pages: rows.slice(0, most), more: rows.length > most };
}

const operatedPages = (db: Kysely<Database>) =>
  db
    .selectFrom('status_pages as p')
    .innerJoin('auth.user as u', 'u.id', 'p.owner_id')
    .select(['p.id', 'p.slug', 'p.title', 'p.published', 'p.taken_down as takenDown', 'u.email as person']);

/**
 * Hides a page from its readers until the operator allows it again; then it stays hidden until its person publishes it. An edit that its person began
 * before is refused as stale. Throws `not_found`.
 */
export async function takeDown(
  { store }: StatusPageDeps,
  operator: string,
  id: string,
  reason: string | null,
): Promise<OperatedStatusPage> {
  return store.db.transaction().execute(async (db) => {
    const page = await db
      .updateTable('status_pages')
      .set(({ eb }) => ({
        taken_down: reason,
        version: eb('version', '+', 1),
        ...(reason !== null && { published: false }),
      }))
      .where('id', '=', id)
      .returning('owner_id')
      .executeTakeFirst();
    if (!page) throw notFound('status page');
    if (reason !== null) await db.deleteFrom('status_renders').where('page_id', '=', id).execute();
    await notifyChange(db, page.owner_id, 'status-pages', id);
    await notifyChange(db, operator, 'console', null);
    return operatedPages(db).where('p.id', '=', id).executeTakeFirstOrThrow();
  });
}
