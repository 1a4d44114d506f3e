import { appsPerImport } from '@homeport/contract/limits';
import type { ImportOffer } from '@homeport/contract/servers/import-schema';
import { apps, sshKeys } from '@homeport/dokku';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import { quietRun, type Run } from '../../apps/state/read-state.ts';
import type { StreamItem } from '../../http/handlers.ts';
import { appIdsOfServer } from '../../records/app-record.ts';
import { asProblem } from '../../remote/run-command.ts';
import { accountOf } from '../../remote/server-access.ts';
import { type Asking, reachServer, type ServerDeps } from '../reach-server.ts';
import { readOutlines } from './read-outlines.ts';
import { readServerApps } from './record-apps.ts';

type Deps = Pick<ServerDeps, 'store' | 'connections'>;

/** The apps that the server itself lists, each with the id of its record, or null without a record. */
export async function listAppsOnServer(
  deps: Deps,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<{ longname: string; appId: string | null }[]> {
  const { names, ids } = await readApps(deps, asking, id, signal);
  return names.map((longname) => ({ longname, appId: ids.get(longname) ?? null }));
}

/**
 * Tells which apps of the server have no record, whose keys the server has, and then what each app has. A
 * reader who comes back after an app goes on with the next one.
 */
export async function* offerApps(
  deps: Deps,
  asking: Asking,
  { id, after }: { id: string; after: string | null },
  signal: AbortSignal,
): AsyncGenerator<StreamItem<ImportOffer> | null> {
  const { names, ids, run, plugin } = await readApps(deps, asking, id, signal);
  yield null;
  const unknown = names.filter((longname) => !ids.has(longname)).toSorted();
  const longnames = unknown.slice(0, appsPerImport);
  const left = unknown.length - longnames.length;
  try {
    const keys = await readKeys(deps.store, ownerFromSession(asking.userId), run);
    yield { data: { type: 'found', longnames, left, keys } };
    const rest = longnames.filter((longname) => after === null || longname > after);
    for await (const read of readOutlines(run, rest, { plugin }))
      yield { id: read.type === 'app' ? read.app.longname : read.longname, data: read };
  } catch (error) {
    throw asProblem(error);
  }
}

/** The keys that may push to the server. Null if the account may not ask. */
async function readKeys(
  store: Pick<Store, 'db'>,
  owner: Owner,
  run: Run,
): Promise<{ name: string; own: boolean }[] | null> {
  const present = sshKeys.readList(await run(sshKeys.list(), { accept: 'any' }));
  if (present === null) return null;
  const rows = await store.db
    .selectFrom('keys')
    .select('fingerprint')
    .where('owner_id', '=', owner)
    .execute();
  const own = new Set(rows.map(({ fingerprint }) => fingerprint));
  return present.map(({ name, fingerprint }) => ({ name, own: own.has(fingerprint) }));
}

async function readApps(
  deps: Deps,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<{ names: string[]; ids: ReadonlyMap<string, string>; run: Run; plugin: string | null }> {
  const { server, connection } = await reachServer(deps, asking, id, 'apps');
  const run = quietRun(connection, accountOf(server, 'apps'), signal);
  try {
    const names = readServerApps(await run(apps.list()));
    const ids = await deps.store.read(ownerFromSession(asking.userId), (scope) =>
      appIdsOfServer(scope, server.id),
    );
    return { names, ids, run, plugin: server.dokku_plugin };
  } catch (error) {
    throw asProblem(error);
  }
}
