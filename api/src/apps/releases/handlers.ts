import type { Handlers } from '../../http/handlers.ts';
import { type AppDeps, startOnApp } from '../reach-app.ts';

export function releaseHandlers(deps: AppDeps) {
  return {
    'POST /api/apps/:id/releases/go-back': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.release-serve', body),
    'POST /api/apps/:id/releases/remove': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.release-remove', body),
  } satisfies Partial<Handlers>;
}
