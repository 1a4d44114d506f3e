import { ownerFromSession } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { ServerRow } from '../records/server-record.ts';
import { loginUser } from '../remote/server-access.ts';
import { type Asking, locateServer, reachServer, type ServerDeps } from '../servers/reach-server.ts';
import { type ConnectionOf, connectionFrom } from './connection-from.ts';
import { openLoginShell } from './far-end.ts';
import type { TerminalPlace } from './place.ts';

type Asked = { session: Asking; serverId: string };

/** The server itself, as the account of its management credential and never as Homeport's own, by a right of its own. */
export function onServer(
  deps: Pick<ServerDeps, 'store' | 'connections'> & ConnectionOf,
  { session, serverId }: Asked,
): TerminalPlace {
  const look = async () =>
    (await locateServer(deps, session, serverId)).shell_allowed ? 'calm' : 'forbidden';
  return {
    look,
    async reach() {
      requireShell(await locateServer(deps, session, serverId));
      const { server } = await reachServer(deps, session, serverId, 'root');
      const owner = ownerFromSession(session.userId);
      const user = loginUser(server, 'root');
      return {
        ...{ owner, serverId },
        where: `${user} on ${server.name}`,
        requireRight: async () => requireShell(await locateServer(deps, session, serverId)),
        open: async (options) =>
          openLoginShell(connectionFrom(deps, { owner, session, serverId, user }), options),
      };
    },
  };
}

function requireShell({ shell_allowed, name }: Pick<ServerRow, 'shell_allowed' | 'name'>): void {
  if (shell_allowed) return;
  throw new ProblemError('not_allowed', `Terminals are not allowed on ${name} itself.`, {
    recovery: 'Allow them in the settings of the server’s page. Your password or passkey is asked for.',
  });
}
