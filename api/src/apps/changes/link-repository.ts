import type { RouteParsed } from '@homeport/contract/routes';
import type { OwnerWrite } from '@homeport/store';
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
  return editApp(scope, id, version, {
    repository: repository?.fullName ?? null,
    repository_branch: repository?.branch ?? null,
    repository_id: repository && (await numberOf(scope, repository.fullName)),
  });
}

/** GitHub's number of a repository that it listed for this person. With the number, the app follows a new name. */
async function numberOf({ db, owner }: OwnerWrite, fullName: string): Promise<number | null> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', owner)
    .where('full_name', '=', fullName)
    .executeTakeFirst();
  return row?.id ?? null;
}
