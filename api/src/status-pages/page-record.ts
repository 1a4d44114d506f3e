import { type StatusPage, type StatusPost, statusPageSchema } from '@homeport/contract/status-pages/schema';
import { type OwnerRead, type OwnerWrite, renderTimes } from '@homeport/store';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { notFound } from '../http/problem.ts';

const columns = ['id', 'slug', 'title', 'published', 'version', 'created_at', 'taken_down'] as const;

/** The owner's pages in the order in which they were made. */
export async function listPages({ owner, db }: OwnerRead) {
  const rows = await db
    .selectFrom('status_pages')
    .select(columns)
    .where('owner_id', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, taken_down, ...row }) => ({
    ...{ ...row, createdAt: created_at, takenDown: taken_down },
  }));
}

/** Throws `not_found` for a page that does not exist or is somebody else’s. */
export async function readPage({ owner, db }: OwnerRead, id: string): Promise<StatusPage> {
  const page = await db
    .selectFrom('status_pages')
    .select(columns)
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('status page');
  const components = await db
    .selectFrom('status_components')
    .select(['app_id', 'proxy_id', 'name', 'group_name'])
    .where('page_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const { created_at, taken_down, ...rest } = page;
  return statusPageSchema.parse({
    ...{ ...rest, createdAt: created_at, takenDown: taken_down, posts: await readPosts(db, id) },
    components: components.map(({ app_id, proxy_id, name, group_name }) => ({
      ...{ kind: app_id === null ? 'proxy' : 'app', target: app_id ?? proxy_id, name, group: group_name },
    })),
  });
}

async function readPosts(db: OwnerRead['db'], page: string): Promise<StatusPost[]> {
  const rows = await db
    .selectFrom('status_posts as p')
    .select(['p.id', 'p.kind', 'p.title', 'p.created_at', 'p.starts_at', 'p.ends_at', 'p.affects'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('status_updates as u')
          .select(['u.id', 'u.state', 'u.text', 'u.at'])
          .whereRef('u.post_id', '=', 'p.id')
          .orderBy('u.at', 'desc')
          .orderBy('u.number', 'desc'),
      ).as('updates'),
    )
    .where('p.page_id', '=', page)
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id')
    .execute();
  return rows.map(({ created_at, starts_at, ends_at, ...row }) => ({
    ...{ ...row, createdAt: created_at, startsAt: starts_at, endsAt: ends_at },
  }));
}

/** Holds the row until the transaction ends, so that changes of a page happen one after the other. Throws as `readPage`. */
export async function holdPage({ owner, db }: OwnerWrite, id: string) {
  const row = await db
    .selectFrom('status_pages')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('status page');
  return row;
}

/** The next render of a page that changed: at once, unless it was rendered a moment ago. */
export const soonDue = (now: number) =>
  sql<number>`least(due_at, greatest(${now}::bigint, claimed_at + ${renderTimes.gap}::bigint))`;
