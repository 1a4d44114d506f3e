import type { Handlers } from '../../http/handlers.ts';
import { type AppDeps, reachApp, startOnApp } from '../reach-app.ts';
import { readTasks } from './read-tasks.ts';

type Handled =
  | 'GET /api/apps/:id/cron'
  | 'POST /api/apps/:id/cron/suspend'
  | 'POST /api/apps/:id/cron/resume'
  | 'POST /api/apps/:id/cron/run';

export function cronHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  return {
    'GET /api/apps/:id/cron': async ({ session, params, signal }) =>
      readTasks(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/cron/suspend': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.cron-suspend', body),
    'POST /api/apps/:id/cron/resume': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.cron-resume', body),
    'POST /api/apps/:id/cron/run': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.cron-run', body),
  };
}
