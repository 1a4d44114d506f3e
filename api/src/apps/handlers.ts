import { ownerFromSession } from '@homeport/store';
import { refuseAbove } from '../http/ceiling.ts';
import type { Handlers } from '../http/handlers.ts';
import { appLane } from '../operations/lane.ts';
import { findApp, listApps, toApp } from '../records/app-record.ts';
import { editApp } from './changes/edit-app.ts';
import { prepareCreation } from './changes/prepare-creation.ts';
import { findPushedFrom } from './continuous/records.ts';
import { deployInstructions } from './deploy-instructions.ts';
import { findDeployKey } from './deploy-key/records.ts';
import { readCursor } from './logs/log-cursor.ts';
import { streamAppLog } from './logs/log-stream.ts';
import { createStoredLogs } from './logs/stored-log.ts';
import { type AppDeps, type Asking, locateApp, reachApp, startOnApp } from './reach-app.ts';
import type { AppReading } from './state/app-state.ts';
import { askState, takeNoticedState } from './state/ask-state.ts';
import { readImportedApp } from './state/read-imported.ts';
import { isRecorded, recordAppState } from './state/record-state.ts';
import { watchDeploys } from './state/watch-deploys.ts';

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

export function appHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  const { store, engine, ceilings } = deps;
  const logs = createStoredLogs();
  const found = (session: Asking, id: string) =>
    store.read(ownerFromSession(session.userId), (scope) => findApp(scope, id));
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
        admit: (scope) => refuseAbove(scope, 'apps', ceilings.apps),
      });
    },
    'GET /api/apps/:id': async ({ session, params }) => toApp(await found(session, params.id)),
    'PATCH /api/apps/:id': async ({ session, params, body }) =>
      toApp(
        await store.transact(ownerFromSession(session.userId), (scope) =>
          editApp(scope, params.id, body.version, { name: body.name }),
        ),
      ),
    'GET /api/apps/:id/deploy-instructions': async ({ session, params }) => {
      const { app, server } = await locateApp(deps, session, params.id);
      return deployInstructions(server, app, []);
    },
    'POST /api/apps/:id/refresh': async ({ session, params, query, signal }) => {
      const reached = await reachApp(deps, session, params.id, signal);
      const { owner, app, run } = reached;
      const state = await (query.noticed ? takeNoticedState : askState)(deps, reached);
      if (app.unread && state.kind === 'present') await readImportedApp(store, owner, app, run);
      else await recordAppState(store, owner, app, state);
      return toApp(await found(session, params.id));
    },
    'POST /api/apps/:id/start': ({ session, params }) => startOnApp(deps, session, params.id, 'app.start'),
    'POST /api/apps/:id/stop': ({ session, params }) => startOnApp(deps, session, params.id, 'app.stop'),
    'POST /api/apps/:id/restart': ({ session, params }) =>
      startOnApp(deps, session, params.id, 'app.restart'),
    'POST /api/apps/:id/rebuild': ({ session, params }) =>
      startOnApp(deps, session, params.id, 'app.rebuild'),
    'POST /api/apps/:id/destroy': async ({ session, params, body }) => {
      const owner = ownerFromSession(session.userId);
      const [key, pushedFrom] = await store.read(owner, async (scope) => [
        await findDeployKey(scope, params.id),
        await findPushedFrom(scope, params.id),
      ]);
      return startOnApp(deps, session, params.id, 'app.destroy', {
        storage: body.storage,
        records: body.records,
        pushedFrom,
        keyOf: key?.public_key ? key.repository : null,
      });
    },
    'GET /api/apps/:id/logs': async function* ({ session, params, query, lastEventId, signal }) {
      const { app, connection, account } = await reachApp(deps, session, params.id, signal);
      yield null;
      const { lines, process = null, follow } = query;
      const asked = { longname: app.longname, lines, process, follow, cursor: readCursor(lastEventId) };
      yield* streamAppLog(connection, account, asked, signal);
    },
    'GET /api/apps/:id/deploy-log': async function* ({ session, params, query, signal }) {
      const reached = await reachApp(deps, session, params.id, signal);
      const isKnown = async (state: AppReading) => isRecorded(store, await found(session, params.id), state);
      yield* watchDeploys({ store, logs }, reached, { past: query.past, isKnown }, signal);
    },
  };
}
