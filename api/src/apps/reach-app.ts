import { appGoneText } from '@homeport/contract/apps/health';
import type { Ceilings } from '@homeport/contract/limits';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { type Account, type Command, canBecomeRoot } from '@homeport/dokku';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { OperationEngine } from '../operations/engine.ts';
import { appLane, commandLane, commandStopLane } from '../operations/lane.ts';
import { type AppRow, findApp } from '../records/app-record.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import {
  asProblem,
  type Ran,
  type RemoteConnection,
  type RunOptions,
  runCommand,
} from '../remote/run-command.ts';
import {
  accountOf,
  type ConnectionSource,
  loginUser,
  refuseClosed,
  requireConnection,
} from '../remote/server-access.ts';

export type AppDeps = {
  store: Pick<Store, 'read' | 'transact' | 'db' | 'pool'>;
  engine: OperationEngine;
  connections: ConnectionSource;
  ceilings: Ceilings;
};

/** `connects`: a terminal's, whose connection has to be there. */
export type Asking = { userId: string; sessionId: string; connects?: string };

export type ReachedApp = {
  owner: Owner;
  app: AppRow;
  server: ServerRow;
  connection: RemoteConnection;
  account: Account;
  /** Runs a command for this request, without an operation’s log. */
  run(command: Command, options?: RunOptions): Promise<Ran>;
  /**
   * Runs a command as root, through this account or over an open connection of the server’s own login. Null
   * if neither can.
   */
  runAsRoot: ((command: Command, options?: RunOptions) => Promise<Ran>) | null;
  /** The server’s own login if it may become root; otherwise null. */
  rootLogin: string | null;
};

/** Finds an app and its server. Throws `not_found` for an app that is not the asking person’s. */
export function locateApp(
  { store }: Pick<AppDeps, 'store'>,
  asking: Asking,
  id: string,
): Promise<{ app: AppRow; server: ServerRow }> {
  return store.read(ownerFromSession(asking.userId), async (scope) => {
    const app = await findApp(scope, id);
    return { app, server: await findServer(scope, app.server_id) };
  });
}

/**
 * Finds an app and a live connection of the account that app work uses. Without a connection, throws
 * `connection_required` and names that account.
 */
export async function reachApp(
  deps: Pick<AppDeps, 'store' | 'connections'>,
  asking: Asking,
  id: string,
  signal: AbortSignal,
): Promise<ReachedApp> {
  const { app, server } = await locateApp(deps, asking, id);
  refuseClosed(server);
  const owner = ownerFromSession(asking.userId);
  const as = (user: string) => ({ owner, sessionId: asking.sessionId, serverId: server.id, user });
  const connection = requireConnection(deps.connections, as(loginUser(server, 'apps')));
  const account = accountOf(server, 'apps');
  const runOver =
    (over: RemoteConnection, by: Account) =>
    async (command: Command, options: RunOptions = {}) => {
      try {
        return await runCommand(over, by, command, options, signal);
      } catch (error) {
        throw asProblem(error);
      }
    };
  const login = accountOf(server, 'root');
  const rootLogin = canBecomeRoot(login) ? loginUser(server, 'root') : null;
  const asRoot = rootLogin === null ? null : deps.connections.find(as(rootLogin));
  const run = runOver(connection, account);
  const runAsRoot = canBecomeRoot(account) ? run : asRoot && runOver(asRoot, login);
  return { owner, app, server, connection, account, run, runAsRoot, rootLogin };
}

/** Work on an app that takes away what Homeport made for it elsewhere. It goes on without the app on its server. */
const withoutApp: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'app.destroy',
  'app.continuous-remove',
  'app.deploy-key-remove',
]);

/** Refuses what needs an app that its server no longer has. The app’s page reads it again if it is back. */
export function refuseGone(app: Pick<AppRow, 'missing_since'>): void {
  if (app.missing_since !== null) throw new ProblemError('conflict', appGoneText);
}

/** Starts an operation on an app. `input` is added to the app’s id and name. */
export async function startOnApp(
  deps: AppDeps,
  asking: Asking,
  id: string,
  kind: OperationKind,
  input: Record<string, unknown> = {},
): Promise<Operation> {
  const { app, server } = await locateApp(deps, asking, id);
  refuseClosed(server);
  if (!withoutApp.has(kind)) refuseGone(app);
  const owner = ownerFromSession(asking.userId);
  const { sessionId } = asking;
  // A terminal's work never waits for a connection: whoever has its token alone would hold the app's lane.
  if (asking.connects !== undefined)
    requireConnection(deps.connections, {
      ...{ owner, sessionId, serverId: server.id },
      user: loginUser(server, 'apps'),
    });
  return deps.engine.start({
    ...{ kind, owner, sessionId },
    ...lanesOf(kind, app),
    input: { ...input, appId: app.id, longname: app.longname },
    serverId: app.server_id,
    serverKey: app.server_key,
    serverName: app.server_name,
    appId: app.id,
    longname: app.longname,
  });
}

/** A command or a task may run for an hour, and holds up no deploy. A destruction deletes the app with its operations, so it waits for both. */
function lanesOf(
  kind: OperationKind,
  { server_id, longname }: Pick<AppRow, 'server_id' | 'longname'>,
): { lane: string; alsoLanes?: readonly string[] } {
  const whole = appLane(server_id, longname);
  const commands = commandLane(server_id, longname);
  if (kind === 'app.run' || kind === 'app.cron-run') return { lane: commands };
  if (kind === 'app.run-stop') return { lane: commandStopLane(server_id, longname) };
  return kind === 'app.destroy' ? { lane: whole, alsoLanes: [commands] } : { lane: whole };
}
