import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import type { RouteOutput } from '@homeport/contract/routes';
import { type Owner, ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findApp, listApps, toApp } from '../records/app-record.ts';
import { readKnown } from '../records/reading-record.ts';
import type { ServerAddresses } from '../remote/server-addresses.ts';
import { changedElsewhere } from './changes/edit-app.ts';
import { linkRepository } from './changes/link-repository.ts';
import { removeOtherKey } from './deploy-key/remove-other-key.ts';
import { changeEnvironment, readEnvironment } from './environment.ts';
import { type AppDeps, type Asking, locateApp, reachApp, refuseGone, startOnApp } from './reach-app.ts';
import { checkHttps, type Lookup } from './state/check-https.ts';
import { partReaders } from './state/read-parts.ts';
import { readPortChoice } from './state/read-port-choice.ts';

type Handled =
  | 'GET /api/apps/:id/environment'
  | 'PATCH /api/apps/:id/environment'
  | 'GET /api/apps/:id/known'
  | 'GET /api/apps/:id/deploys'
  | 'GET /api/apps/:id/readme'
  | 'GET /api/apps/:id/resources'
  | 'POST /api/apps/:id/plan'
  | 'GET /api/apps/:id/system'
  | 'POST /api/apps/:id/domains'
  | 'POST /api/apps/:id/domains/remove'
  | 'POST /api/apps/:id/https/checks'
  | 'POST /api/apps/:id/https'
  | 'GET /api/apps/:id/storage'
  | 'POST /api/apps/:id/storage'
  | 'POST /api/apps/:id/left-containers/remove'
  | 'GET /api/apps/:id/ports'
  | 'POST /api/apps/:id/ports'
  | 'PUT /api/apps/:id/repository';

export type SettingsDeps = AppDeps & {
  /** What the person's own zones say of the app's domains. Domains in no linked zone are left out. */
  checkZones: (
    owner: Owner,
    app: { id: string; domains: readonly string[] },
    signal: AbortSignal,
  ) => Promise<HttpsCheck[]>;
  /** What the console's own network tells of a domain and of a server. */
  lookup: (signal: AbortSignal) => Lookup;
  addresses: ServerAddresses;
};

type Restart = Pick<RouteOutput<'PATCH /api/apps/:id/environment'>, 'operation' | 'notRestarted'>;

const notAsked: Restart = { operation: null, notRestarted: null };

/** The variables are saved by now. So a refused restart is part of the answer, and no failure of the whole request. */
async function restartAfterSaving(deps: AppDeps, asking: Asking, id: string): Promise<Restart> {
  try {
    return { operation: await startOnApp(deps, asking, id, 'app.restart'), notRestarted: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { operation: null, notRestarted: error.message };
  }
}

export function appSettingsHandlers(deps: SettingsDeps): Pick<Handlers, Handled> {
  const read = partReaders(deps);
  return {
    'GET /api/apps/:id/known': async ({ session, params }) =>
      deps.store.read(ownerFromSession(session.userId), async (scope) => {
        const { id } = await findApp(scope, params.id);
        return readKnown(scope, id);
      }),
    'GET /api/apps/:id/environment': async ({ session, params, signal }) =>
      readEnvironment(await reachApp(deps, session, params.id, signal)),
    'PATCH /api/apps/:id/environment': async ({ session, params, body, signal }) => {
      const reached = await reachApp(deps, session, params.id, signal);
      refuseGone(reached.app);
      const environment = await changeEnvironment(reached, body.values, body.from);
      await notifyChange(deps.store.db, reached.owner, 'environment', params.id);
      return {
        environment,
        ...(body.restart ? await restartAfterSaving(deps, session, params.id) : notAsked),
      };
    },
    'GET /api/apps/:id/deploys': async ({ session, params, signal }) =>
      read.deploys(await reachApp(deps, session, params.id, signal)),
    'GET /api/apps/:id/readme': async ({ session, params, signal }) =>
      read.readme(await reachApp(deps, session, params.id, signal)),
    'GET /api/apps/:id/resources': async ({ session, params, signal }) =>
      read.resources(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/plan': async ({ session, params, body }) => {
      const { app } = await locateApp(deps, session, params.id);
      if (app.plan !== body.from) throw changedElsewhere(app);
      return startOnApp(deps, session, params.id, 'app.plan', body);
    },
    'GET /api/apps/:id/system': async ({ session, params, signal }) =>
      read.system(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/domains': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.domain-add', { domain: body.domain }),
    'POST /api/apps/:id/domains/remove': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.domain-remove', body),
    'POST /api/apps/:id/https/checks': async ({ session, params, signal }) => {
      const { app, server } = await locateApp(deps, session, params.id);
      const owner = ownerFromSession(session.userId);
      const looked = await deps.addresses.of(owner, server, signal);
      const [seen, inZones] = await Promise.all([
        checkHttps(app.domains, { address: server.ip, looked }, deps.lookup(signal)),
        deps.checkZones(owner, app, signal),
      ]);
      return [...seen, ...inZones];
    },
    'POST /api/apps/:id/https': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.https', { email: body.email }),
    'GET /api/apps/:id/storage': async ({ session, params, signal }) =>
      read.storage(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/storage': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.storage', body),
    'POST /api/apps/:id/left-containers/remove': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.remove-left-containers', body),
    'GET /api/apps/:id/ports': async ({ session, params, signal }) => {
      const reached = await reachApp(deps, session, params.id, signal);
      const scope = { owner: reached.owner, db: deps.store.db };
      return readPortChoice(reached, await listApps(scope));
    },
    'POST /api/apps/:id/ports': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.ports', { keep: body.keep }),
    'PUT /api/apps/:id/repository': async ({ session, params, body }) => {
      const owner = ownerFromSession(session.userId);
      const row = await deps.store.transact(owner, async (scope) => {
        if (body.repository) refuseGone(await findApp(scope, params.id));
        return linkRepository(scope, params.id, body);
      });
      await removeOtherKey(deps, session, row);
      return toApp(row);
    },
  };
}
