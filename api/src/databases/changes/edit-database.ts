import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type DatabaseRow, findDatabase, toDatabase } from '../../records/database-record.ts';

/**
 * Applies a person’s edit to a database if the version is still the one that the page showed. Throws `stale_edit` with
 * the current database, or `not_found` for a database that is not the asking person’s.
 */
export async function editDatabase(
  scope: OwnerWrite,
  id: string,
  version: number,
  changes: { name: string },
): Promise<DatabaseRow> {
  const changed = await scope.db
    .updateTable('databases')
    .set({ ...changes, version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  // Read after the update, so that the page gets the database as another edit may have left it.
  const row = await findDatabase(scope, id);
  if (changed.numUpdatedRows === 0n)
    throw new ProblemError('stale_edit', 'This database was changed elsewhere.', {
      current: toDatabase(row),
    });
  await notifyChange(scope.db, scope.owner, 'databases', id);
  return row;
}
