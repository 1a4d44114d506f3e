import type { Ceilings } from '@homeport/contract/limits';
import { apps, UnreadableOutputError } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { ownerFromSession, type Store } from '@homeport/store';
import { quietRun } from '../apps/state/read-state.ts';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import type { OperationEngine } from '../operations/engine.ts';
import { serverLane } from '../operations/lane.ts';
import { findServer, listServers, type ServerRow, toServer } from '../records/server-record.ts';
import { asProblem } from '../remote/run-command.ts';
import {
  accountOf,
  type ConnectionSource,
  loginUser,
  refuseSimulated,
  requireConnection,
} from '../remote/server-access.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { acceptHostKey } from './accept-host-key.ts';
import { addServer } from './add-server.ts';
import { checkFirewall } from './check-firewall.ts';
import { editServer } from './edit-server.ts';
import { importApps, readImported, readServerApps } from './import-apps.ts';
import { forgetServer, refuseWhileBusy } from './remove-server.ts';
import { suggestSubdomain } from './suggest-subdomain.ts';

type Deps = {
  store: Pick<Store, 'read' | 'transact' | 'db' | 'pool'>;
  engine: OperationEngine;
  connections: ConnectionSource;
  closeConnections(serverId: string): void;
  targets: TargetPolicy;
  appDomain: string | null;
  ceilings: Ceilings;
};

type Handled =
  | 'GET /api/servers'
  | 'POST /api/servers'
  | 'GET /api/servers/:id'
  | 'PATCH /api/servers/:id'
  | 'GET /api/subdomains'
  | 'PUT /api/servers/:id/host-key'
  | 'POST /api/servers/:id/install'
  | 'POST /api/servers/:id/agent'
  | 'POST /api/servers/:id/account'
  | 'POST /api/servers/:id/remove'
  | 'POST /api/servers/:id/firewall'
  | 'GET /api/servers/:id/apps'
  | 'POST /api/servers/:id/import';

export function serverHandlers(deps: Deps): Pick<Handlers, Handled> {
  const { store, engine } = deps;
  const found = (session: { userId: string }, id: string) =>
    store.read(ownerFromSession(session.userId), (scope) => findServer(scope, id));
  const startOn = (
    session: { userId: string; sessionId: string },
    server: ServerRow,
    kind: 'server.install' | 'server.reinstall-agent' | 'server.update-account' | 'server.remove',
  ) =>
    engine.start({
      kind,
      owner: ownerFromSession(session.userId),
      sessionId: session.sessionId,
      lane: serverLane(server.id),
      input: { serverId: server.id, metal: server.metal },
      serverId: server.id,
      serverKey: server.key,
      serverName: server.name,
    });

  /** The app names that the server itself tells, over a live connection. */
  const appsOn = async (session: { userId: string; sessionId: string }, id: string, signal: AbortSignal) => {
    const server = await found(session, id);
    refuseSimulated(server);
    const connection = requireConnection(deps.connections, {
      owner: ownerFromSession(session.userId),
      sessionId: session.sessionId,
      serverId: server.id,
      user: loginUser(server, 'apps'),
    });
    try {
      const run = quietRun(connection, accountOf(server, 'apps'), signal);
      return { server, names: readServerApps(await run(apps.list())), run };
    } catch (error) {
      throw asProblem(error);
    }
  };

  return {
    'GET /api/servers': async ({ session }) =>
      (await store.read(ownerFromSession(session.userId), listServers)).map(toServer),
    'POST /api/servers': async ({ session, body }) =>
      toServer(
        await store.transact(ownerFromSession(session.userId), (scope) =>
          addServer(scope, body, deps.targets, deps.ceilings.servers),
        ),
      ),
    'GET /api/servers/:id': async ({ session, params }) => toServer(await found(session, params.id)),
    'PATCH /api/servers/:id': async ({ session, params, body }) => {
      const row = await store.transact(ownerFromSession(session.userId), (scope) =>
        editServer(scope, params.id, body),
      );
      // A connection that was opened with other details must not serve the new ones.
      if (body.credential !== undefined || body.username !== undefined || body.port !== undefined)
        deps.closeConnections(params.id);
      return toServer(row);
    },
    'GET /api/subdomains': ({ session }) => store.read(ownerFromSession(session.userId), suggestSubdomain),
    'PUT /api/servers/:id/host-key': async ({ session, params, body }) => {
      const row = await store.transact(ownerFromSession(session.userId), (scope) =>
        acceptHostKey(scope, params.id, body),
      );
      deps.closeConnections(params.id);
      return toServer(row);
    },
    'POST /api/servers/:id/install': async ({ session, params }) => {
      const server = await found(session, params.id);
      refuseSimulated(server);
      return startOn(session, server, 'server.install');
    },
    'POST /api/servers/:id/agent': async ({ session, params }) => {
      const server = await found(session, params.id);
      refuseSimulated(server);
      return startOn(session, server, 'server.reinstall-agent');
    },
    'POST /api/servers/:id/account': async ({ session, params }) => {
      const server = await found(session, params.id);
      refuseSimulated(server);
      if (server.account_key === null)
        throw new ProblemError('conflict', 'Homeport has made no account of its own on this server.');
      return startOn(session, server, 'server.update-account');
    },
    'POST /api/servers/:id/remove': async ({ session, params, body }) => {
      const owner = ownerFromSession(session.userId);
      const server = await found(session, params.id);
      await refuseWhileBusy(store.db, owner, server.id);
      if (body.uninstall && !server.simulated)
        return { operation: await startOn(session, server, 'server.remove') };
      await forgetServer({ db: store.db, closeConnections: deps.closeConnections }, owner, server.id);
      return { operation: null };
    },
    'GET /api/servers/:id/apps': async ({ session, params, signal }) => {
      const { server, names } = await appsOn(session, params.id, signal);
      const owner = ownerFromSession(session.userId);
      const known = await store.read(owner, ({ db }) =>
        db
          .selectFrom('apps')
          .select(['id', 'longname'])
          .where('owner_id', '=', owner)
          .where('server_id', '=', server.id)
          .execute(),
      );
      const ids = new Map(known.map(({ longname, id }) => [longname, id]));
      return names.map((longname) => ({ longname, appId: ids.get(longname) ?? null }));
    },
    'POST /api/servers/:id/import': async ({ session, params, signal }) => {
      const { server, names, run } = await appsOn(session, params.id, signal);
      const owner = ownerFromSession(session.userId);
      const { appDomain, ceilings } = deps;
      const { ids, left } = await store.transact(owner, (scope) =>
        importApps(scope, server, names, { appDomain, most: ceilings.apps }),
      );
      // The apps are recorded: that the server could not be asked about them too is no failure of the import.
      await readImported(store, owner, ids, run).catch((error: unknown) => {
        const expected = [CommandError, ProblemError, UnreadableOutputError];
        if (!expected.some((kind) => error instanceof kind)) throw error;
      });
      return { imported: ids.length, left };
    },
    'POST /api/servers/:id/firewall': async ({ session, params, signal }) => {
      const server = await found(session, params.id);
      refuseSimulated(server);
      const connection = requireConnection(deps.connections, {
        owner: ownerFromSession(session.userId),
        sessionId: session.sessionId,
        serverId: server.id,
        user: loginUser(server, 'root'),
      });
      return checkFirewall(connection, server, signal);
    },
  };
}
