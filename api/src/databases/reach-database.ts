import type { Ceilings } from '@homeport/contract/limits';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Account } from '@homeport/dokku';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import type { OperationEngine } from '../operations/engine.ts';
import { databaseLane } from '../operations/lane.ts';
import { type DatabaseRow, findDatabase } from '../records/database-record.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import { asProblem, type RemoteConnection, type Run, runCommand } from '../remote/run-command.ts';
import {
  accountOf,
  type ConnectionSource,
  loginUser,
  refuseClosed,
  requireConnection,
} from '../remote/server-access.ts';

export type DatabaseDeps = {
  store: Pick<Store, 'read' | 'transact' | 'db' | 'pool'>;
  engine: OperationEngine;
  connections: ConnectionSource;
  ceilings: Pick<Ceilings, 'databases'>;
};

export type Asking = { userId: string; sessionId: string };

export type ReachedServer = {
  owner: Owner;
  server: ServerRow;
  connection: RemoteConnection;
  account: Account;
  /** Runs a command for this request, without an operation’s log. */
  run: Run;
};

export type ReachedDatabase = ReachedServer & { database: DatabaseRow };

/** Finds a database and its server. Throws `not_found` for a database that is not the asking person’s. */
export function locateDatabase(
  { store }: Pick<DatabaseDeps, 'store'>,
  asking: Asking,
  id: string,
): Promise<{ database: DatabaseRow; server: ServerRow }> {
  return store.read(ownerFromSession(asking.userId), async (scope) => {
    const database = await findDatabase(scope, id);
    return { database, server: await findServer(scope, database.server_id) };
  });
}

/**
 * Finds a live connection to a server for work with Dokku. Without a connection, throws `connection_required` and
 * names the account.
 */
export function reachDokku(
  { connections }: Pick<DatabaseDeps, 'connections'>,
  asking: Asking,
  server: ServerRow,
  signal: AbortSignal,
): ReachedServer {
  refuseClosed(server);
  const owner = ownerFromSession(asking.userId);
  const account = accountOf(server, 'apps');
  const user = loginUser(server, 'apps');
  const request = { owner, sessionId: asking.sessionId, serverId: server.id, user };
  const connection = requireConnection(connections, request);
  const run: Run = async (command, options = {}) => {
    try {
      return await runCommand(connection, account, command, options, signal);
    } catch (error) {
      throw asProblem(error);
    }
  };
  return { owner, server, connection, account, run };
}

/** As `reachDokku`, for the server of a database. */
export async function reachDatabase(
  deps: Pick<DatabaseDeps, 'store' | 'connections'>,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<ReachedDatabase> {
  const { database, server } = await locateDatabase(deps, asking, id);
  return { ...reachDokku(deps, asking, server, signal), database };
}

/** What else an operation on a database works with. */
type Beside = {
  /** Added to the database’s own input. */
  input?: Record<string, unknown>;
  alsoLanes?: readonly string[];
  appId?: string | undefined;
};

/** Starts an operation on a database. */
export async function startOnDatabase(
  { engine }: Pick<DatabaseDeps, 'engine'>,
  asking: Asking,
  { database, server }: { database: DatabaseRow; server: ServerRow },
  kind: OperationKind,
  { input = {}, alsoLanes = [], appId }: Beside = {},
): Promise<Operation> {
  refuseClosed(server);
  const { type, longname } = database;
  return engine.start({
    kind,
    owner: ownerFromSession(asking.userId),
    sessionId: asking.sessionId,
    lane: databaseLane(server.id, type, longname),
    alsoLanes,
    input: { ...input, databaseId: database.id, type, longname },
    serverId: server.id,
    serverKey: server.key,
    serverName: server.name,
    databaseId: database.id,
    longname,
    ...(appId === undefined ? {} : { appId }),
  });
}
