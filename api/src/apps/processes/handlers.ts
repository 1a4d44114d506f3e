import type { Handlers } from '../../http/handlers.ts';
import { type AppDeps, reachApp, startOnApp } from '../reach-app.ts';
import { partReaders } from '../state/read-parts.ts';

type Handled =
  | 'GET /api/apps/:id/processes'
  | 'POST /api/apps/:id/scale'
  | 'POST /api/apps/:id/processes/restart'
  | 'POST /api/apps/:id/processes/rules';

export function processHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  const read = partReaders(deps);
  return {
    'GET /api/apps/:id/processes': async ({ session, params, signal }) =>
      read.processes(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/scale': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.scale', body),
    'POST /api/apps/:id/processes/restart': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.restart-process', body),
    'POST /api/apps/:id/processes/rules': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.process-rules', body),
  };
}
