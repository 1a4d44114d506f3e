import type { RepositoryList } from '@homeport/contract/github/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, type Owner, type OwnerWrite, ownerFromSession } from '@homeport/store';
import type { Insertable } from 'kysely';
import { z } from 'zod';
import { notifyChange } from '../../live/notify-change.ts';
import { askAs, type GithubDeps } from '../account.ts';
import type { Ask } from '../client.ts';
import { listRepositories } from './list-repositories.ts';
import { repositorySchema } from './repository-record.ts';

const perPage = 100;
/** So 2,000 repositories are kept for one person, pushed last first. */
const mostPages = 20;

type Page = { number: number; etag: string | null; isLast: boolean } & (
  | { kind: 'unchanged' }
  | { kind: 'read'; rows: z.output<typeof repositorySchema>[] }
);

/**
 * Asks GitHub for the person's repositories, page by page, and keeps them. GitHub does not send a page again whose entity tag is the
 * same. A repository that was renamed keeps its number, so apps that are linked to it get its new name.
 */
export async function refreshRepositories(
  deps: GithubDeps,
  session: SessionIdentity,
): Promise<RepositoryList> {
  const owner = ownerFromSession(session.userId);
  await askAs(deps, owner, 'list your repositories', async (ask, account) => {
    const pages = await readPages(deps, owner, ask);
    await deps.store.transact(owner, (scope) => keepPages(scope, account.id, pages, deps.clock()));
  });
  return listRepositories(deps, session);
}

async function readPages({ store }: GithubDeps, owner: Owner, ask: Ask): Promise<Page[]> {
  const known = await store.db
    .selectFrom('repository_pages')
    .select(['page', 'etag', 'is_last'])
    .where('owner_id', '=', owner)
    .execute();
  const pages: Page[] = [];
  for (let number = 1; number <= mostPages; number += 1) {
    const before = known.find(({ page }) => page === number);
    const answer = await ask({
      method: 'GET',
      path: '/user/repos',
      query: {
        affiliation: 'owner,collaborator,organization_member',
        sort: 'pushed',
        per_page: String(perPage),
        page: String(number),
      },
      etag: before?.etag ?? null,
      reply: z.array(repositorySchema).max(perPage),
    });
    const page: Page =
      answer.kind === 'unchanged'
        ? { kind: 'unchanged', number, etag: before?.etag ?? null, isLast: before?.is_last ?? true }
        : { kind: 'read', number, etag: answer.etag, isLast: !answer.hasNext, rows: answer.body };
    pages.push(page);
    if (page.isLast) break;
  }
  return pages;
}

async function keepPages(scope: OwnerWrite, accountId: string, pages: Page[], now: number): Promise<void> {
  const { db, owner } = scope;
  const before = await db
    .selectFrom('repositories')
    .select(['id', 'page'])
    .where('owner_id', '=', owner)
    .where('account_id', '=', accountId)
    .execute();
  const kept = new Set<number>();
  const read = new Map<number, Insertable<Database['repositories']>>();
  for (const page of pages) {
    if (page.kind === 'unchanged') for (const row of before) if (row.page === page.number) kept.add(row.id);
    if (page.kind === 'read')
      // A push while the pages were read moves a repository: the last page that has it counts.
      for (const row of page.rows) read.set(row.id, rowOf(row, { accountId, owner, page: page.number }));
  }
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id) || read.has(id));
  if (gone.length > 0)
    await db.deleteFrom('repositories').where('owner_id', '=', owner).where('id', 'in', gone).execute();
  if (read.size > 0)
    await db
      .insertInto('repositories')
      .values([...read.values()])
      .execute();
  await db.deleteFrom('repository_pages').where('owner_id', '=', owner).execute();
  await db
    .insertInto('repository_pages')
    .values(
      pages.map(({ number, etag, isLast }) => ({
        account_id: accountId,
        owner_id: owner,
        page: number,
        etag,
        is_last: isLast,
        read_at: now,
      })),
    )
    .execute();
  await followRenames(scope);
  await notifyChange(db, owner, 'github', null);
}

const rowOf = (
  row: z.output<typeof repositorySchema>,
  { accountId, owner, page }: { accountId: string; owner: Owner; page: number },
) => ({
  account_id: accountId,
  owner_id: owner,
  id: row.id,
  page,
  full_name: row.full_name,
  private: row.private,
  language: row.language ?? null,
  description: row.description ?? null,
  url: row.html_url,
  default_branch: row.default_branch,
  archived: row.archived ?? false,
  can_push: row.permissions?.push ?? false,
  pushed_at: row.pushed_at ?? null,
});

/** Gives apps the present name of their repository. */
async function followRenames({ db, owner }: OwnerWrite): Promise<void> {
  const renamed = await db
    .updateTable('apps')
    .from('repositories')
    .set((eb) => ({ repository: eb.ref('repositories.full_name') }))
    .where('apps.owner_id', '=', owner)
    .where('repositories.owner_id', '=', owner)
    .whereRef('apps.repository_id', '=', 'repositories.id')
    .whereRef('apps.repository', '<>', 'repositories.full_name')
    .returning('apps.id')
    .execute();
  for (const { id } of renamed) await notifyChange(db, owner, 'apps', id);
}
