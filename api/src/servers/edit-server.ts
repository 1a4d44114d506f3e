import type { EditServer } from '@homeport/contract/servers/schema';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import { findServer, type ServerRow, toServer } from '../records/server-record.ts';
import { refuseUnknownCredential } from './add-server.ts';

/** Changes what is named, if the version is still the one that the page showed. */
export async function editServer(scope: OwnerWrite, id: string, edit: EditServer): Promise<ServerRow> {
  const current = await findServer(scope, id);
  if (edit.credential !== undefined) await refuseUnknownCredential(scope, edit.credential);
  const { version, ...changes } = edit;
  const row = await scope.db
    .updateTable('servers')
    .set({ ...changes, ...forgotten(current, edit), version: version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (!row)
    throw new ProblemError('stale_edit', 'This server was changed elsewhere.', {
      // Read again: what another edit has just made of it is what the page has to see.
      current: toServer(await findServer(scope, id)),
    });
  await tellChange(scope.db, scope.owner, 'servers', id);
  return row;
}

/**
 * What was found out about the login that is replaced: another user may do other things there, and the console’s own
 * account still lets in the old key (`account_key` says which). Until it is updated the given account does all work.
 */
function forgotten(current: ServerRow, edit: EditServer): { login?: null; console_account?: false } {
  const otherUser = edit.username !== undefined && edit.username !== current.username;
  const otherKey = edit.credential !== undefined && edit.credential !== current.credential;
  return {
    ...(otherUser ? { login: null } : {}),
    ...(otherUser || otherKey ? { console_account: false } : {}),
  };
}
