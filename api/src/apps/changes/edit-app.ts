import type { Database, OwnerWrite } from '@homeport/store';
import type { Updateable } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import { tellChange } from '../../live/tell-change.ts';
import { type AppRow, findApp, toApp } from '../../records/app-record.ts';

/**
 * Changes what a person edits of an app, if the version is still the one that the page showed. Throws `stale_edit` with
 * the app as it stands now, `not_found` for what is not the asking person’s.
 */
export async function editApp(
  scope: OwnerWrite,
  id: string,
  version: number,
  changes: Pick<Updateable<Database['apps']>, 'name' | 'repository' | 'repository_branch'>,
): Promise<AppRow> {
  const changed = await scope.db
    .updateTable('apps')
    .set({ ...changes, version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  // Read afterwards: what another edit has just made of it is what the page has to see.
  const row = await findApp(scope, id);
  if (changed.numUpdatedRows === 0n) throw changedElsewhere(row);
  await tellChange(scope.db, scope.owner, 'apps', id);
  return row;
}

/** The refusal of an edit that began from what is not so any more; it carries the app as it stands. */
export const changedElsewhere = (row: AppRow) =>
  new ProblemError('stale_edit', 'This app was changed elsewhere.', { current: toApp(row) });
