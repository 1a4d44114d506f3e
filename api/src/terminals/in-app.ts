import type { OperationKind } from '@homeport/contract/operations/facts';
import { appName } from '@homeport/dokku';
import { requireAllowed } from '../apps/one-off/allowed.ts';
import { type AppDeps, type Asking, locateApp, reachApp, refuseGone } from '../apps/reach-app.ts';
import { loginUser } from '../remote/server-access.ts';
import { type ConnectionOf, connectionFrom } from './connection-from.ts';
import { openInContainer } from './far-end.ts';
import type { TerminalPlace } from './place.ts';

/** Work on an app that replaces or stops its containers. */
const replacing: readonly OperationKind[] = [
  ...(['app.stop', 'app.restart', 'app.rebuild', 'app.destroy', 'app.plan', 'app.storage'] as const),
  ...(['app.scale', 'app.restart-process', 'app.process-rules', 'app.deploy-commit'] as const),
  ...(['app.go-back', 'app.release-serve'] as const),
];

type Asked = {
  session: Asking;
  appId: string;
  /** A container that runs; null: a new one. */
  process: string | null;
  signal: AbortSignal;
};

/** A container of an app, by the right of one-off commands. */
export function inApp(
  deps: Pick<AppDeps, 'store' | 'connections'> & ConnectionOf,
  { session, appId, process, signal }: Asked,
): TerminalPlace {
  return {
    async look() {
      const { app, server } = await locateApp(deps, session, appId);
      if (!server.commands_allowed) return 'forbidden';
      const work = await deps.store.db
        .selectFrom('operations')
        .select('id')
        .where('owner_id', '=', app.owner_id)
        .where('app_id', '=', appId)
        .where('state', '=', 'running')
        .where('kind', 'in', replacing)
        .executeTakeFirst();
      return work ? 'replacing' : 'calm';
    },
    async reach() {
      const { owner, app, server, account } = await reachApp(deps, session, appId, signal);
      refuseGone(app);
      requireAllowed(server);
      const user = loginUser(server, 'apps');
      return {
        ...{ owner, serverId: server.id },
        where: `${process ?? 'a new container'} of ${app.name} on ${server.name}`,
        requireRight: async () => requireAllowed((await locateApp(deps, session, appId)).server),
        open: async (options) =>
          openInContainer(
            {
              connection: connectionFrom(deps, { owner, session, serverId: server.id, user }),
              ...{ account, app: appName(app.longname), process },
            },
            options,
          ),
      };
    },
  };
}
