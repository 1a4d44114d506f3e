import type pg from 'pg';
import type { StatusRender } from './keep-renders.ts';

/** The published pages that were rendered, by slug. */
export async function listStatusPages(pool: pg.Pool): Promise<{ id: string; slug: string }[]> {
  const { rows } = await pool.query<{ id: string; slug: string }>(
    'select id, slug from status_pages p where published and exists (select from status_renders where page_id = p.id) order by created_at, id',
  );
  return rows;
}

type ReadRenders = { slug: string; owner: string; renderedAt: number; renders: StatusRender[] };

/** The files of one published page. Undefined where the page is gone, hidden, or not rendered yet. */
export async function readStatusRenders(pool: pg.Pool, id: string): Promise<ReadRenders | undefined> {
  const { rows } = await pool.query<StatusRender & Omit<ReadRenders, 'renders'>>(
    `select p.slug, p.owner_id as owner, p.rendered_at as "renderedAt", r.file, r.body, r.gzip, r.etag
     from status_pages p join status_renders r on r.page_id = p.id where p.id = $1 and p.published`,
    [id],
  );
  const [first] = rows;
  if (!first) return undefined;
  const { slug, owner, renderedAt } = first;
  const renders = rows.map(({ file, body, gzip, etag }) => ({ file, body, gzip, etag }));
  return { slug, owner, renderedAt, renders };
}
