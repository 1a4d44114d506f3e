import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { removeUptime, setUpUptime } from './changes/set-up-uptime.ts';
import type { AppDeps } from './reach-app.ts';

type Handled = 'PUT /api/apps/:id/uptime' | 'DELETE /api/apps/:id/uptime';

export function uptimeHandlers({ store }: Pick<AppDeps, 'store'>): Pick<Handlers, Handled> {
  return {
    'PUT /api/apps/:id/uptime': ({ session, params, body }) =>
      store.transact(ownerFromSession(session.userId), (scope) => setUpUptime(scope, params.id, body)),
    'DELETE /api/apps/:id/uptime': ({ session, params }) =>
      store.transact(ownerFromSession(session.userId), (scope) => removeUptime(scope, params.id)),
  };
}
