import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { type OwnerRead, ownerFromSession } from '@homeport/store';
import { locateApp, refuseGone } from '../apps/reach-app.ts';
import { refuseAbove } from '../http/ceiling.ts';
import type { Handlers } from '../http/handlers.ts';
import { wrongField } from '../http/problem.ts';
import { appLane, databaseLane, serverLane } from '../operations/lane.ts';
import { appIdsOfServer } from '../records/app-record.ts';
import {
  type DatabaseRow,
  databasesOfServer,
  listDatabases,
  toDatabase,
} from '../records/database-record.ts';
import { findServer } from '../records/server-record.ts';
import { refuseClosed } from '../remote/server-access.ts';
import { findEndedCreation } from './changes/clear-remains.ts';
import { refuseLinked } from './changes/delete-database.ts';
import { editDatabase } from './changes/edit-database.ts';
import { recordReported } from './changes/on-database.ts';
import { prepareCreation } from './changes/prepare-creation.ts';
import { streamDatabaseLog } from './logs/stream-log.ts';
import {
  type Asking,
  type DatabaseDeps,
  locateDatabase,
  reachDatabase,
  reachDokku,
  startOnDatabase,
} from './reach-database.ts';
import { readConnectionStrings } from './state/connection-strings.ts';
import { readDatabasePlugins, refuseMetal } from './state/database-plugins.ts';
import { offerExposure } from './state/exposure-offer.ts';
import { readDatabase } from './state/read-database.ts';

type Handled =
  | 'GET /api/databases'
  | 'POST /api/databases'
  | 'GET /api/databases/:id'
  | 'PATCH /api/databases/:id'
  | 'POST /api/databases/:id/refresh'
  | 'GET /api/databases/:id/connection-strings'
  | 'POST /api/operations/:id/remove-remains'
  | 'POST /api/databases/:id/start'
  | 'POST /api/databases/:id/stop'
  | 'POST /api/databases/:id/restart'
  | 'POST /api/databases/:id/link'
  | 'POST /api/databases/:id/unlink'
  | 'POST /api/databases/:id/promote'
  | 'GET /api/databases/:id/exposure'
  | 'POST /api/databases/:id/expose'
  | 'POST /api/databases/:id/unexpose'
  | 'POST /api/databases/:id/delete'
  | 'GET /api/databases/:id/logs'
  | 'GET /api/servers/:id/database-plugins';

export function databaseHandlers(deps: DatabaseDeps): Pick<Handlers, Handled> {
  const { store } = deps;
  const read = <T>(session: Asking, fn: (scope: OwnerRead) => Promise<T>) =>
    store.read(ownerFromSession(session.userId), fn);
  return {
    'GET /api/databases': async ({ session }) => (await read(session, listDatabases)).map(toDatabase),
    'POST /api/databases': async ({ session, body }) => startCreation(deps, session, body),
    'GET /api/databases/:id': async ({ session, params }) =>
      toDatabase((await locateDatabase(deps, session, params.id)).database),
    'PATCH /api/databases/:id': async ({ session, params, body }) =>
      toDatabase(
        await store.transact(ownerFromSession(session.userId), (scope) =>
          editDatabase(scope, params.id, body.version, { name: body.name }),
        ),
      ),
    'POST /api/databases/:id/refresh': async ({ session, params, signal }) => {
      const { owner, database, run } = await reachDatabase(deps, session, params.id, signal);
      const told = await readDatabase(run, database, database.server_plugin);
      await recordReported(store, owner, database.id, told);
      return toDatabase((await locateDatabase(deps, session, params.id)).database);
    },
    'GET /api/databases/:id/connection-strings': async ({ session, params, signal }) =>
      readConnectionStrings(await reachDatabase(deps, session, params.id, signal)),
    'POST /api/operations/:id/remove-remains': ({ session, params }) =>
      startClearing(deps, session, params.id),
    'POST /api/databases/:id/start': async ({ session, params }) =>
      startOnDatabase(deps, session, await locateDatabase(deps, session, params.id), 'database.start'),
    'POST /api/databases/:id/stop': async ({ session, params }) =>
      startOnDatabase(deps, session, await locateDatabase(deps, session, params.id), 'database.stop'),
    'POST /api/databases/:id/restart': async ({ session, params }) =>
      startOnDatabase(deps, session, await locateDatabase(deps, session, params.id), 'database.restart'),
    'POST /api/databases/:id/link': ({ session, params, body }) =>
      startOnLink(deps, session, params.id, 'database.link', body),
    'POST /api/databases/:id/unlink': ({ session, params, body }) =>
      startOnLink(deps, session, params.id, 'database.unlink', body),
    'POST /api/databases/:id/promote': ({ session, params, body }) =>
      startOnLink(deps, session, params.id, 'database.promote', { ...body, restart: false }),
    'GET /api/databases/:id/exposure': async ({ session, params, signal }) => {
      const { database, run } = await reachDatabase(deps, session, params.id, signal);
      const others = await read(session, (scope) => databasesOfServer(scope, database.server_id));
      return offerExposure(run, database, others);
    },
    'POST /api/databases/:id/expose': async ({ session, params, body }) => {
      const located = await locateDatabase(deps, session, params.id);
      refuseWrongCount(located.database, body.hostPorts);
      return startOnDatabase(deps, session, located, 'database.expose', { input: body });
    },
    'POST /api/databases/:id/unexpose': async ({ session, params }) =>
      startOnDatabase(deps, session, await locateDatabase(deps, session, params.id), 'database.unexpose'),
    'POST /api/databases/:id/delete': async ({ session, params, body }) => {
      const located = await locateDatabase(deps, session, params.id);
      const { database, server } = located;
      if (!body.unlinkAll) refuseLinked(database);
      const unlink = database.links.map(({ appLongname }) => appLongname);
      return startOnDatabase(deps, session, located, 'database.delete', {
        input: { unlink },
        alsoLanes: unlink.map((app) => appLane(server.id, app)),
      });
    },
    'GET /api/databases/:id/logs': async function* ({ session, params, query, signal }) {
      const reached = await reachDatabase(deps, session, params.id, signal);
      yield null;
      yield* streamDatabaseLog(reached, query.lines, signal);
    },
    'GET /api/servers/:id/database-plugins': async ({ session, params, signal }) => {
      const server = await read(session, (scope) => findServer(scope, params.id));
      refuseMetal(server);
      return readDatabasePlugins(server, reachDokku(deps, session, server, signal).run);
    },
  };
}

const startCreation = async (
  { store, engine, ceilings }: DatabaseDeps,
  session: Asking,
  body: Parameters<typeof prepareCreation>[1],
) => {
  const owner = ownerFromSession(session.userId);
  const { server, input } = await store.read(owner, (scope) => prepareCreation(scope, body));
  return engine.start({
    kind: 'database.create',
    owner,
    sessionId: session.sessionId,
    lane: databaseLane(server.id, input.type, input.longname),
    // Dokku installs one plugin at a time on a server.
    alsoLanes: input.installPlugin ? [serverLane(server.id)] : [],
    input,
    serverId: server.id,
    serverKey: server.key,
    serverName: server.name,
    longname: input.longname,
    admit: (scope) => refuseAbove(scope, 'databases', ceilings.databases),
  });
};

async function startClearing({ store, engine }: DatabaseDeps, session: Asking, creationId: string) {
  const owner = ownerFromSession(session.userId);
  const { input, serverId } = await findEndedCreation(store, owner, creationId);
  const server = await store.read(owner, (scope) => findServer(scope, serverId));
  refuseClosed(server);
  const { type, longname } = input;
  return engine.start({
    kind: 'database.remove-remains',
    owner,
    sessionId: session.sessionId,
    lane: databaseLane(server.id, type, longname),
    input: { creationId, type, longname },
    serverId: server.id,
    serverKey: server.key,
    serverName: server.name,
    longname,
  });
}

/** A link changes the app too, so that no other work on the app runs meanwhile. */
async function startOnLink(
  deps: DatabaseDeps,
  session: Asking,
  id: string,
  kind: 'database.link' | 'database.unlink' | 'database.promote',
  input: { appLongname: string; restart: boolean },
) {
  const located = await locateDatabase(deps, session, id);
  const { server } = located;
  const apps = await deps.store.read(ownerFromSession(session.userId), (scope) =>
    appIdsOfServer(scope, server.id),
  );
  const appId = apps.get(input.appLongname);
  // Taking a link away works without the app.
  if (appId !== undefined && kind !== 'database.unlink')
    refuseGone((await locateApp(deps, session, appId)).app);
  return startOnDatabase(deps, session, located, kind, {
    input,
    alsoLanes: [appLane(server.id, input.appLongname)],
    appId,
  });
}

function refuseWrongCount({ type }: Pick<DatabaseRow, 'type'>, hostPorts: readonly number[]): void {
  const { ports, title } = databaseTypeOf(type);
  if (hostPorts.length !== ports.length)
    throw wrongField(
      'hostPorts',
      `${title} has ${ports.length} ${ports.length === 1 ? 'port' : 'ports'}. Choose a port of the server for each.`,
    );
}
