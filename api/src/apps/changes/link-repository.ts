import type { RouteParsed } from '@homeport/contract/routes';
import type { OwnerWrite } from '@homeport/store';
import type { AppRow } from '../../records/app-record.ts';
import { editApp } from './edit-app.ts';

/**
 * Links the repository whose pushes deploy to the app, or unlinks it. The workflow itself is text that the
 * user commits.
 */
export function linkRepository(
  scope: OwnerWrite,
  id: string,
  { version, repository }: RouteParsed<'PUT /api/apps/:id/repository'>['body'],
): Promise<AppRow> {
  return editApp(scope, id, version, {
    repository: repository?.fullName ?? null,
    repository_branch: repository?.branch ?? null,
  });
}
