import { simulatedTexts } from '@homeport/contract/servers/simulated';
import type { Account } from '@homeport/dokku';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { ServerRow } from '../records/server-record.ts';
import type { RemoteConnection } from './run-command.ts';

/** The account that Homeport makes for itself on a server, so that app actions need not be root’s. */
export const consoleUser = 'homeport';

/** Whom the connection for a piece of work logs in as: the console’s own account where it exists, unless root is needed. */
export function loginUser(
  server: Pick<ServerRow, 'username' | 'console_account'>,
  work: 'apps' | 'root',
): string {
  return work === 'apps' && server.console_account ? consoleUser : server.username;
}

/** What that login may do there, for building commands. Before it has been looked at, a login as root is taken for root. */
export function accountOf(
  server: Pick<ServerRow, 'username' | 'console_account' | 'login'>,
  work: 'apps' | 'root',
): Account {
  if (work === 'apps' && server.console_account) return { kind: 'console', user: consoleUser };
  const login = server.login ?? (server.username === 'root' ? 'root' : 'plain');
  return login === 'root' ? { kind: 'root' } : { kind: login, user: server.username };
}

export type ConnectionRequest = { owner: Owner; sessionId: string; serverId: string; user: string };

/** Live connections by person, session, server and account. */
export type ConnectionSource = {
  /** Of the asking session only; a connection of another session is none, also where both are the same person’s. */
  find(request: ConnectionRequest): RemoteConnection | null;
  onChange(listener: () => void): () => void;
};

/** The live connection for a request, or `connection_required` with the account that the page has to log in as. */
export function requireConnection(
  connections: ConnectionSource,
  request: ConnectionRequest,
): RemoteConnection {
  const connection = connections.find(request);
  if (connection) return connection;
  throw new ProblemError('connection_required', 'There is no open connection to this server.', {
    connection: { serverId: request.serverId, user: request.user },
  });
}

/** Says no before anything is tried on a server that only exists in generated reports. */
export function refuseSimulated(server: Pick<ServerRow, 'simulated'>): void {
  if (server.simulated) throw new ProblemError('conflict', simulatedTexts.run);
}
