import { consoleUser } from '@homeport/contract/connections/facts';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Account } from '@homeport/dokku';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { ServerRow } from '../records/server-record.ts';
import type { RemoteConnection } from './run-command.ts';

/**
 * The account that a connection logs in as for this work: the console’s own account if it exists, unless root
 * is needed.
 */
export function loginUser(
  server: Pick<ServerRow, 'username' | 'console_account'>,
  work: 'apps' | 'root',
): string {
  return work === 'apps' && server.console_account ? consoleUser : server.username;
}

/**
 * What that login may do on the server, for building commands. Until the server was inspected, a login as
 * root counts as root.
 */
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
  /**
   * Finds connections of the asking session only. A connection of another session does not count, even if
   * both are the same person’s.
   */
  find(request: ConnectionRequest): RemoteConnection | null;
  onChange(listener: () => void): () => void;
};

/**
 * Returns the live connection for a request. Without one, throws `connection_required` with the account that
 * the page has to log in as.
 */
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

/**
 * Refuses a server that the console cannot log in to, before anything is tried on it: one that exists only in
 * generated reports, and one without a credential.
 */
export function refuseClosed(server: Pick<ServerRow, 'simulated' | 'credential'>): void {
  const texts = closedTexts(server);
  if (texts) throw new ProblemError('conflict', texts.run);
}
