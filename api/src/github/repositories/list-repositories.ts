import type { RepositoryList } from '@homeport/contract/github/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import type { GithubDeps } from '../account.ts';
import { grantPage } from '../settings.ts';

/** The repositories as GitHub told them last, and when that was. Without an account or before the first answer: none. */
export async function listRepositories(
  { store, settings, readApp }: Pick<GithubDeps, 'store' | 'settings' | 'readApp'>,
  session: SessionIdentity,
): Promise<RepositoryList> {
  const owner = ownerFromSession(session.userId);
  const app = await readApp();
  const accessUrl = app && grantPage(settings, app);
  return store.read(owner, async ({ db }) => {
    const pages = await db
      .selectFrom('repository_pages')
      .select(['is_last', 'read_at'])
      .where('owner_id', '=', owner)
      .orderBy('page', 'desc')
      .execute();
    const rows = await db
      .selectFrom('repositories')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('pushed_at', (order) => order.desc().nullsLast())
      .orderBy('id')
      .execute();
    return {
      repositories: rows.map((row) => ({
        id: row.id,
        fullName: row.full_name,
        private: row.private,
        language: row.language,
        description: row.description,
        url: row.url,
        defaultBranch: row.default_branch,
        archived: row.archived,
        canPush: row.can_push,
        pushedAt: row.pushed_at,
      })),
      readAt: pages.length === 0 ? null : Math.min(...pages.map((page) => page.read_at)),
      more: pages[0]?.is_last === false,
      accessUrl,
    };
  });
}
