import type pg from 'pg';
import type { ClaimedStatusPage } from './claim-pages.ts';
import { renderTimes } from './render-times.ts';

export const statusFiles = ['page', 'feed.atom', 'status.json', 'badge.svg'] as const;
export type StatusFile = (typeof statusFiles)[number];
/** The tag is that of all but the time of the render. */
export type StatusRender = { file: StatusFile; body: Buffer; gzip: Buffer; etag: string };

const keep = {
  name: 'keep_status_renders',
  // A page that was hidden meanwhile, or claimed anew, keeps nothing of this.
  text: `with page as (
      update status_pages set rendered_at = $7, was_readable = true where id = $1 and claim = $2 and published returning id)
    insert into status_renders (page_id, file, body, gzip, etag, at)
      select page.id, r.file, r.body, r.gzip, r.etag, $7
      from page, unnest($3::text[], $4::bytea[], $5::bytea[], $6::text[]) as r (file, body, gzip, etag)
    on conflict (page_id, file) do update
      set body = excluded.body, gzip = excluded.gzip, etag = excluded.etag, at = excluded.at
      where status_renders.etag <> excluded.etag
        or excluded.file in ('page', 'status.json') and status_renders.at <= excluded.at - $8::bigint`,
};

/**
 * Keeps what was rendered, unless the page changed hands meanwhile. Files that did not change are written again from time to time only, for
 * the time that stands in them.
 */
export async function keepStatusRenders(
  pool: pg.Pool,
  { id, claim }: ClaimedStatusPage,
  { renders, at }: { renders: readonly StatusRender[]; at: number },
): Promise<void> {
  await pool.query({
    ...keep,
    values: [
      ...[id, claim, renders.map(({ file }) => file), renders.map(({ body }) => body)],
      ...[renders.map(({ gzip }) => gzip), renders.map(({ etag }) => etag)],
      ...[at, renderTimes.writtenEvery],
    ],
  });
}
