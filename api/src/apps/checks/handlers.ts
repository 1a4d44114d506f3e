import type { Handlers } from '../../http/handlers.ts';
import { type AppDeps, reachApp, startOnApp } from '../reach-app.ts';
import { readChecks } from './read-checks.ts';

type Handled = 'GET /api/apps/:id/checks' | 'POST /api/apps/:id/checks';

export function checkHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  return {
    'GET /api/apps/:id/checks': async ({ session, params, signal }) =>
      readChecks(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/checks': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.checks', body),
  };
}
