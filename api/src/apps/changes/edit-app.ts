import type { Database, OwnerWrite } from '@homeport/store';
import type { Updateable } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type AppRow, findApp, toApp } from '../../records/app-record.ts';

/**
 * Applies a person’s edit to an app if the version is still the one that the page showed. Throws `stale_edit`
 * with the current app, or `not_found` for an app that is not the asking person’s.
 */
export async function editApp(
  scope: OwnerWrite,
  id: string,
  version: number,
  changes: Pick<Updateable<Database['apps']>, 'name' | 'repository' | 'repository_branch' | 'repository_id'>,
): Promise<AppRow> {
  const changed = await scope.db
    .updateTable('apps')
    .set({ ...changes, version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  // Read after the update, so that the page gets the app as another edit may have left it.
  const row = await findApp(scope, id);
  if (changed.numUpdatedRows === 0n) throw changedElsewhere(row);
  await notifyChange(scope.db, scope.owner, 'apps', id);
  return row;
}

/** The refusal of an edit that began from outdated values. It carries the current app. */
export const changedElsewhere = (row: AppRow) =>
  new ProblemError('stale_edit', 'This app was changed elsewhere.', { current: toApp(row) });
