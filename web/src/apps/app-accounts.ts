import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Server } from '@homeport/contract/servers/schema';

/** The account that the console creates for its own work on a server. */
const consoleUser = 'homeport';

/**
 * The accounts that a creation needs and that are not connected yet. The server's given account adds push
 * keys, because only root may do so. The console's own account, where there is one, does the rest.
 */
export function missingUsers(
  server: Pick<Server, 'id' | 'username' | 'consoleAccount'>,
  live: readonly Pick<LiveConnection, 'serverId' | 'user'>[],
): string[] {
  const needed = [server.username, ...(server.consoleAccount ? [consoleUser] : [])];
  return needed.filter((user) => !live.some((each) => each.serverId === server.id && each.user === user));
}

/** The account that actions on an app go through. */
export const appsUser = (server: Pick<Server, 'username' | 'consoleAccount'>) =>
  server.consoleAccount ? consoleUser : server.username;
