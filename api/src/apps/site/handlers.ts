import type { Handlers } from '../../http/handlers.ts';
import { type AppDeps, startOnApp } from '../reach-app.ts';

type Handled = 'POST /api/apps/:id/site';

export function siteHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  return {
    'POST /api/apps/:id/site': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.site', body),
  };
}
