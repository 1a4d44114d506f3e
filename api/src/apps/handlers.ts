import type { OperationKind } from '@homeport/contract/operations';
import { type Database, type Owner, type OwnerWrite, ownerFromSession, type Store } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import type { OperationEngine } from '../operations/engine.ts';
import { appLane } from '../operations/lane.ts';
import {
  accountOf,
  type ConnectionSource,
  loginUser,
  refuseSimulated,
  requireConnection,
} from '../remote/server-access.ts';
import { findServer } from '../servers/server-record.ts';
import { type AppRow, findApp, listApps, recordAppFacts, toApp } from './app-record.ts';
import { deployInstructions } from './deploy-instructions.ts';
import { streamAppLog } from './log-stream.ts';
import { prepareCreation } from './prepare-creation.ts';
import { quietRun, readAppState } from './read-state.ts';
import { watchDeploys } from './watch-deploys.ts';

type Deps = {
  store: Pick<Store, 'read' | 'transact'> & { db: Kysely<Database> };
  engine: OperationEngine;
  connections: ConnectionSource;
};

type Session = { userId: string; sessionId: string };

type Handled =
  | 'GET /api/apps'
  | 'POST /api/apps'
  | 'GET /api/apps/:id'
  | 'PATCH /api/apps/:id'
  | 'GET /api/apps/:id/deploy-instructions'
  | 'POST /api/apps/:id/refresh'
  | 'POST /api/apps/:id/start'
  | 'POST /api/apps/:id/stop'
  | 'POST /api/apps/:id/restart'
  | 'POST /api/apps/:id/rebuild'
  | 'POST /api/apps/:id/destroy'
  | 'GET /api/apps/:id/logs'
  | 'GET /api/apps/:id/deploy-log';

export function appHandlers({ store, engine, connections }: Deps): Pick<Handlers, Handled> {
  const found = (session: Session, id: string) =>
    store.read(ownerFromSession(session.userId), (scope) => findApp(scope, id));
  const located = (session: Session, id: string) =>
    store.read(ownerFromSession(session.userId), async (scope) => {
      const app = await findApp(scope, id);
      return { app, server: await findServer(scope, app.server_id) };
    });
  /** The app with the live connection that work on it goes over, and the account that it runs as. */
  const reached = async (session: Session, id: string) => {
    const { app, server } = await located(session, id);
    refuseSimulated(server);
    const owner = ownerFromSession(session.userId);
    const request = {
      owner,
      sessionId: session.sessionId,
      serverId: server.id,
      user: loginUser(server, 'apps'),
    };
    return {
      owner,
      app,
      connection: requireConnection(connections, request),
      account: accountOf(server, 'apps'),
    };
  };
  const startOn = async (session: Session, id: string, kind: OperationKind) => {
    const { app, server } = await located(session, id);
    refuseSimulated(server);
    return engine.start({
      kind,
      owner: ownerFromSession(session.userId),
      sessionId: session.sessionId,
      lane: appLane(app.server_id, app.longname),
      input: { appId: app.id, longname: app.longname },
      serverId: app.server_id,
      serverKey: app.server_key,
      serverName: app.server_name,
      appId: app.id,
      longname: app.longname,
    });
  };
  const record = async (owner: Owner, app: AppRow, state: Awaited<ReturnType<typeof readAppState>>) => {
    if (state.kind === 'present') await recordAppFacts(store.db, owner, app, state.facts);
  };

  return {
    'GET /api/apps': async ({ session }) =>
      (await store.read(ownerFromSession(session.userId), listApps)).map(toApp),
    'POST /api/apps': async ({ session, body }) => {
      const owner = ownerFromSession(session.userId);
      const { server, input } = await store.read(owner, (scope) => prepareCreation(scope, body));
      return engine.start({
        kind: 'app.create',
        owner,
        sessionId: session.sessionId,
        lane: appLane(server.id, input.longname),
        input,
        serverId: server.id,
        serverKey: server.key,
        serverName: server.name,
        longname: input.longname,
      });
    },
    'GET /api/apps/:id': async ({ session, params }) => toApp(await found(session, params.id)),
    'PATCH /api/apps/:id': async ({ session, params, body }) =>
      toApp(
        await store.transact(ownerFromSession(session.userId), (scope) => renameApp(scope, params.id, body)),
      ),
    'GET /api/apps/:id/deploy-instructions': async ({ session, params }) => {
      const { app, server } = await located(session, params.id);
      return deployInstructions(server, app, []);
    },
    'POST /api/apps/:id/refresh': async ({ session, params, signal }) => {
      const { owner, app, connection, account } = await reached(session, params.id);
      const state = await readAppState(quietRun(connection, account, signal), app.longname);
      if (state.kind === 'missing') throw new ProblemError('not_found', 'The server no longer has this app.');
      await record(owner, app, state);
      return toApp(await found(session, params.id));
    },
    'POST /api/apps/:id/start': ({ session, params }) => startOn(session, params.id, 'app.start'),
    'POST /api/apps/:id/stop': ({ session, params }) => startOn(session, params.id, 'app.stop'),
    'POST /api/apps/:id/restart': ({ session, params }) => startOn(session, params.id, 'app.restart'),
    'POST /api/apps/:id/rebuild': ({ session, params }) => startOn(session, params.id, 'app.rebuild'),
    'POST /api/apps/:id/destroy': ({ session, params }) => startOn(session, params.id, 'app.destroy'),
    'GET /api/apps/:id/logs': async function* ({ session, params, query, signal }) {
      const { app, connection, account } = await reached(session, params.id);
      yield null;
      yield* streamAppLog(connection, account, app.longname, query.lines, signal);
    },
    'GET /api/apps/:id/deploy-log': async function* ({ session, params, signal }) {
      const { owner, app, connection, account } = await reached(session, params.id);
      yield* watchDeploys(
        connection,
        account,
        app.longname,
        async (state) => record(owner, await found(session, app.id), state),
        signal,
      );
    },
  };
}

async function renameApp(
  scope: OwnerWrite,
  id: string,
  edit: { version: number; name: string },
): Promise<AppRow> {
  const current = await findApp(scope, id);
  const changed = await scope.db
    .updateTable('apps')
    .set({ name: edit.name, version: edit.version + 1 })
    .where('owner_id', '=', scope.owner)
    .where('id', '=', id)
    .where('version', '=', edit.version)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) {
    throw new ProblemError('stale_edit', 'This app was changed elsewhere.', { current: toApp(current) });
  }
  await tellChange(scope.db, scope.owner, 'apps', id);
  return findApp(scope, id);
}
