import type { RouteParsed } from '@homeport/contract/routes';
import type { OwnerRead, OwnerWrite } from '@homeport/store';
import type { AppRow } from '../../records/app-record.ts';
import { editApp } from './edit-app.ts';

/**
 * Links the repository whose pushes deploy to the app, or unlinks it. The workflow itself is text that the
 * user commits.
 */
export async function linkRepository(
  scope: OwnerWrite,
  id: string,
  { version, repository }: RouteParsed<'PUT /api/apps/:id/repository'>['body'],
): Promise<AppRow> {
  return editApp(
    scope,
    id,
    version,
    repository
      ? await linkOf(scope, repository)
      : { repository: null, repository_branch: null, repository_id: null },
  );
}

/** The fields of an app's record that name its repository. */
export async function linkOf(scope: OwnerRead, { fullName, branch }: { fullName: string; branch: string }) {
  return {
    repository: fullName,
    repository_branch: branch,
    repository_id: await numberOf(scope, fullName),
  };
}

/** GitHub's number of a repository that it listed for this person. With the number, the app follows a new name. */
async function numberOf({ db, owner }: OwnerRead, fullName: string): Promise<number | null> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', owner)
    .where('full_name', '=', fullName)
    .executeTakeFirst();
  return row?.id ?? null;
}
