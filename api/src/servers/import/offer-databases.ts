import type { FoundDatabase } from '@homeport/contract/databases/schema';
import { ownerFromSession } from '@homeport/store';
import { quietRun } from '../../apps/state/read-state.ts';
import { refuseMetal } from '../../databases/state/database-plugins.ts';
import { findDatabases, keyOf } from '../../databases/state/server-databases.ts';
import { databasesOfServer } from '../../records/database-record.ts';
import { asProblem } from '../../remote/run-command.ts';
import { accountOf } from '../../remote/server-access.ts';
import { type Asking, locateMachine, reachServer, type ServerDeps } from '../reach-server.ts';

/** The databases that the server has and Homeport does not know. */
export async function offerDatabases(
  deps: Pick<ServerDeps, 'store' | 'connections'>,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<FoundDatabase[]> {
  refuseMetal(await locateMachine(deps, asking, id));
  const { server, connection } = await reachServer(deps, asking, id, 'apps');
  const known = await deps.store.read(ownerFromSession(asking.userId), (scope) =>
    databasesOfServer(scope, id),
  );
  try {
    const run = quietRun(connection, accountOf(server, 'apps'), signal);
    return await findDatabases(run, server.dokku_plugin, new Set(known.map(keyOf)));
  } catch (error) {
    throw asProblem(error);
  }
}
