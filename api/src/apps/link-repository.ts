import type { RouteParsed } from '@homeport/contract/routes';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import { type AppRow, findApp, toApp } from './app-record.ts';

/** Names the repository whose pushes deploy to the app, or unlinks it; the workflow itself is text for the user to commit. */
export async function linkRepository(
  scope: OwnerWrite,
  id: string,
  { version, repository }: RouteParsed<'PUT /api/apps/:id/repository'>['body'],
): Promise<AppRow> {
  const current = await findApp(scope, id);
  const changed = await scope.db
    .updateTable('apps')
    .set({
      repository: repository?.fullName ?? null,
      repository_branch: repository?.branch ?? null,
      version: version + 1,
    })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n)
    throw new ProblemError('stale_edit', 'This app was changed elsewhere.', { current: toApp(current) });
  await tellChange(scope.db, scope.owner, 'apps', id);
  return findApp(scope, id);
}
