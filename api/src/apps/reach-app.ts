import type { Operation, OperationKind } from '@homeport/contract/operations';
import type { Account, Command } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import type { OperationEngine } from '../operations/engine.ts';
import { appLane } from '../operations/lane.ts';
import {
  problemOf,
  type Ran,
  type RemoteConnection,
  type RunOptions,
  runCommand,
} from '../remote/run-command.ts';
import {
  accountOf,
  type ConnectionSource,
  loginUser,
  refuseSimulated,
  requireConnection,
} from '../remote/server-access.ts';
import { findServer, type ServerRow } from '../servers/server-record.ts';
import { type AppRow, findApp } from './app-record.ts';

export type AppDeps = {
  store: Pick<Store, 'read' | 'transact' | 'db' | 'pool'>;
  engine: OperationEngine;
  connections: ConnectionSource;
};

export type Asking = { userId: string; sessionId: string };

export type ReachedApp = {
  owner: Owner;
  app: AppRow;
  server: ServerRow;
  connection: RemoteConnection;
  account: Account;
  /** Runs a command for this request, without an operation’s log. */
  run(command: Command, options?: RunOptions): Promise<Ran>;
};

/** An app with its server. Throws `not_found` for what is not the asking person’s. */
export function locateApp(
  { store }: AppDeps,
  asking: Asking,
  id: string,
): Promise<{ app: AppRow; server: ServerRow }> {
  return store.read(ownerFromSession(asking.userId), async (scope) => {
    const app = await findApp(scope, id);
    return { app, server: await findServer(scope, app.server_id) };
  });
}

/** The app over a live connection, as the account that app work uses. Throws `connection_required`, naming that account. */
export async function reachApp(
  deps: AppDeps,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<ReachedApp> {
  const { app, server } = await locateApp(deps, asking, id);
  refuseSimulated(server);
  const owner = ownerFromSession(asking.userId);
  const connection = requireConnection(deps.connections, {
    owner,
    sessionId: asking.sessionId,
    serverId: server.id,
    user: loginUser(server, 'apps'),
  });
  const account = accountOf(server, 'apps');
  const run = async (command: Command, options: RunOptions = {}) => {
    try {
      return await runCommand(connection, account, command, options, signal);
    } catch (error) {
      throw error instanceof CommandError ? problemOf(error) : error;
    }
  };
  return { owner, app, server, connection, account, run };
}

/** Starts an operation on an app; `input` goes beside the app’s id and name. */
export async function startOnApp(
  deps: AppDeps,
  asking: Asking,
  id: string,
  kind: OperationKind,
  input: Record<string, unknown> = {},
): Promise<Operation> {
  const { app, server } = await locateApp(deps, asking, id);
  refuseSimulated(server);
  return deps.engine.start({
    kind,
    owner: ownerFromSession(asking.userId),
    sessionId: asking.sessionId,
    lane: appLane(app.server_id, app.longname),
    input: { ...input, appId: app.id, longname: app.longname },
    serverId: app.server_id,
    serverKey: app.server_key,
    serverName: app.server_name,
    appId: app.id,
    longname: app.longname,
  });
}
