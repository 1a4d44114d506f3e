import type { Ceilings } from '@homeport/contract/limits';
import { apps, UnreadableOutputError } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { ownerFromSession } from '@homeport/store';
import { quietRun, type Run } from '../apps/state/read-state.ts';
import { ProblemError } from '../http/problem.ts';
import { appIdsOfServer } from '../records/app-record.ts';
import type { ServerRow } from '../records/server-record.ts';
import { asProblem } from '../remote/run-command.ts';
import { accountOf } from '../remote/server-access.ts';
import { importApps, readImported, readServerApps } from './import-apps.ts';
import { type Asking, reachServer, type ServerDeps } from './reach-server.ts';

type Deps = Pick<ServerDeps, 'store' | 'connections'>;

/** The apps that the server itself lists, each with the id of its record, or null without a record. */
export async function listAppsOnServer(
  deps: Deps,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<{ longname: string; appId: string | null }[]> {
  const { server, names } = await readApps(deps, asking, id, signal);
  const ids = await deps.store.read(ownerFromSession(asking.userId), (scope) =>
    appIdsOfServer(scope, server.id),
  );
  return names.map((longname) => ({ longname, appId: ids.get(longname) ?? null }));
}

/** Makes records of the apps that have none, then reads the state of these apps from the server. */
export async function importFromServer(
  deps: Deps & { appDomain: string | null; ceilings: Ceilings },
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<{ imported: number; left: number }> {
  const { store, appDomain, ceilings } = deps;
  const { server, names, run } = await readApps(deps, asking, id, signal);
  const owner = ownerFromSession(asking.userId);
  const { ids, left } = await store.transact(owner, (scope) =>
    importApps(scope, server, names, { appDomain, most: ceilings.apps }),
  );
  // The apps are recorded already, so the import succeeds even if the server does not answer.
  await readImported(store, owner, ids, run).catch((error: unknown) => {
    const expected = [CommandError, ProblemError, UnreadableOutputError];
    if (!expected.some((kind) => error instanceof kind)) throw error;
  });
  return { imported: ids.length, left };
}

async function readApps(
  deps: Deps,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<{ server: ServerRow; names: string[]; run: Run }> {
  const { server, connection } = await reachServer(deps, asking, id, 'apps');
  try {
    const run = quietRun(connection, accountOf(server, 'apps'), signal);
    return { server, names: readServerApps(await run(apps.list())), run };
  } catch (error) {
    throw asProblem(error);
  }
}
