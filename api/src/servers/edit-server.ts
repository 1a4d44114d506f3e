import type { EditServer } from '@homeport/contract/servers';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import { refuseUnknownCredential } from './add-server.ts';
import { findServer, type ServerRow, toServer } from './server-record.ts';

/** Changes what is named, if the version is still the one that the page showed. */
export async function editServer(scope: OwnerWrite, id: string, edit: EditServer): Promise<ServerRow> {
  const current = await findServer(scope, id);
  if (edit.credential !== undefined) await refuseUnknownCredential(scope, edit.credential);
  const { version, ...changes } = edit;
  const row = await scope.db
    .updateTable('servers')
    .set({ ...changes, version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (!row)
    throw new ProblemError('stale_edit', 'This server was changed elsewhere.', {
      current: toServer(current),
    });
  await tellChange(scope.db, scope.owner, 'servers', id);
  return row;
}
