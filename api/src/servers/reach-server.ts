import type { Operation } from '@homeport/contract/operations/schema';
import { ownerFromSession, type Store } from '@homeport/store';
import type { StartRequest } from '../operations/add-operation.ts';
import type { OperationEngine } from '../operations/engine.ts';
import { serverLane } from '../operations/lane.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import type { RemoteConnection } from '../remote/run-command.ts';
import {
  type ConnectionSource,
  loginUser,
  refuseClosed,
  requireConnection,
} from '../remote/server-access.ts';

export type ServerDeps = {
  store: Pick<Store, 'read' | 'transact' | 'db' | 'pool'>;
  engine: OperationEngine;
  connections: ConnectionSource;
};

export type Asking = { userId: string; sessionId: string };

/** Throws `not_found` for a server that is not the asking person’s. */
export const locateServer = (
  { store }: Pick<ServerDeps, 'store'>,
  asking: Pick<Asking, 'userId'>,
  id: string,
): Promise<ServerRow> => store.read(ownerFromSession(asking.userId), (scope) => findServer(scope, id));

/** The server of the asking person. Refuses a simulated server, because no machine is behind it. */
export async function locateMachine(
  deps: Pick<ServerDeps, 'store'>,
  asking: Asking,
  id: string,
): Promise<ServerRow> {
  const server = await locateServer(deps, asking, id);
  refuseClosed(server);
  return server;
}

/**
 * Finds a server and a live connection of the account for this work. Without a connection, throws
 * `connection_required` with the name of the account.
 */
export async function reachServer(
  deps: Pick<ServerDeps, 'store' | 'connections'>,
  asking: Asking,
  id: string,
  work: 'apps' | 'root',
): Promise<{ server: ServerRow; connection: RemoteConnection }> {
  const server = await locateMachine(deps, asking, id);
  const connection = requireConnection(deps.connections, {
    owner: ownerFromSession(asking.userId),
    sessionId: asking.sessionId,
    serverId: server.id,
    user: loginUser(server, work),
  });
  return { server, connection };
}

/** Starts an operation on a server as a whole. `input` is added to the server’s own. `admit`: as the engine takes it. */
export const startOnServer = (
  { engine }: Pick<ServerDeps, 'engine'>,
  asking: Asking,
  server: ServerRow,
  kind:
    | 'server.install'
    | 'server.add-dokku'
    | 'server.reinstall-agent'
    | 'server.update-account'
    | 'server.plugin'
    | 'server.global-domain'
    | 'server.follow-address'
    | 'server.remove'
    | 'server.import'
    | 'server.import-databases',
  input: Record<string, unknown> = {},
  hooks: Pick<StartRequest, 'admit'> = {},
): Promise<Operation> =>
  engine.start({
    ...hooks,
    kind,
    owner: ownerFromSession(asking.userId),
    sessionId: asking.sessionId,
    lane: serverLane(server.id),
    input: { ...input, serverId: server.id, metal: server.metal },
    serverId: server.id,
    serverKey: server.key,
    serverName: server.name,
  });
