import { consoleUser } from '@homeport/contract/connections/facts';
import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Server } from '@homeport/contract/servers/schema';

type Accounts = Pick<Server, 'username' | 'consoleAccount'>;

/**
 * The accounts that the creation of an app works as. The server's given account adds push keys, because only
 * root may do so. The console's own account, where there is one, does the rest.
 */
export const creationUsers = ({ username, consoleAccount }: Accounts): string[] => [
  username,
  ...(consoleAccount ? [consoleUser] : []),
];

/** The account that actions on apps and databases go through. */
export const appsUser = ({ username, consoleAccount }: Accounts): string =>
  consoleAccount ? consoleUser : username;

/** Those of the accounts that this session has no connection for yet. */
export const missingUsers = (
  serverId: string,
  needed: readonly string[],
  live: readonly Pick<LiveConnection, 'serverId' | 'user'>[],
): string[] =>
  needed.filter((user) => !live.some((each) => each.serverId === serverId && each.user === user));
