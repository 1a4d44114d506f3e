import { overStates } from '@homeport/contract/operations/facts';
import { CommandError } from '@homeport/ssh';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import { readUnlessUnreadable } from '../../apps/state/read-imported.ts';
import { quietRun } from '../../apps/state/read-state.ts';
import type { OpenedConnection, SessionConnections } from '../../connections/connection-source.ts';
import { listUnreadApps } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { accountOf, loginUser } from '../../remote/server-access.ts';

type Deps = {
  store: Pick<Store, 'db' | 'pool' | 'read'>;
  connections: Pick<SessionConnections, 'onOpened'>;
  log: { error(details: object, message: string): void };
};

/** How many apps one opened connection reads. Reading an app takes the server seconds. */
const appsPerOpening = 20;

/**
 * Reads imported apps that were not read yet, such as those that an import could not read, whenever a
 * connection to their server opens. Each app is tried once for each opening. Returns the function that ends
 * this.
 */
export function readUnreadApps({ store, connections, log }: Deps): () => Promise<void> {
  const stopped = new AbortController();
  const running = new Map<string, Promise<void>>();
  const stop = connections.onOpened((opened) => {
    // The person's signature at a terminal is for what was typed there.
    if (opened.ofTerminal || running.has(opened.serverId)) return;
    const reading = readOnServer(store, opened, stopped.signal)
      .catch((error: unknown) => {
        // A connection that closes meanwhile ends the reading; the next one begins it again.
        if (!stopped.signal.aborted && !(error instanceof CommandError))
          log.error({ err: error }, 'unread apps could not be read');
      })
      .finally(() => running.delete(opened.serverId));
    running.set(opened.serverId, reading);
  });
  return async () => {
    stop();
    stopped.abort();
    await Promise.all(running.values());
  };
}

async function readOnServer(
  store: Deps['store'],
  { owner: userId, serverId, user, connection }: OpenedConnection,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerFromSession(userId);
  const unread = await store.read(owner, (scope) =>
    listUnreadApps(scope, serverId, { most: appsPerOpening }),
  );
  if (unread.length === 0) return;
  const server = await store.read(owner, (scope) => findServer(scope, serverId));
  if (loginUser(server, 'apps') !== user || (await isImporting(store, owner, serverId))) return;
  const run = quietRun(connection, accountOf(server, 'apps'), signal);
  for (const app of unread) {
    if (signal.aborted) return;
    await readUnlessUnreadable(store, owner, app, run);
  }
}

/** The operation reads its apps itself. */
async function isImporting(store: Pick<Store, 'db'>, owner: Owner, serverId: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('operations')
    .select('id')
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .where('kind', '=', 'server.import')
    .where('state', 'not in', [...overStates])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
