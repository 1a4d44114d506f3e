import type { ConnectionPool } from '@homeport/ssh';
import type { RemoteConnection } from '../remote/run-command.ts';
import type { ConnectionSource } from '../remote/server-access.ts';

/** A connection that just opened: whose it is, to which server, and as which account. */
export type OpenedConnection = {
  owner: string;
  serverId: string;
  user: string;
  connection: RemoteConnection;
  /** A program opened it, with a token. */
  ofTerminal: boolean;
};

export type SessionConnections = ConnectionSource & {
  /** Nothing finds the connections of a session or a token any more. */
  leaveSession(sessionId: string): void;
  /** Closes the connections of a session that was signed out, or of a token that was revoked, or of one that has expired. */
  endSession(sessionId: string): void;
  /**
   * Calls the listener with the person and the server whenever a connection opens or closes. Returns the
   * function that stops this.
   */
  onOwnersChange(listener: (owner: string, serverId: string) => void): () => void;
  /** Calls the listener with each connection that opens. Returns the function that stops this. */
  onOpened(listener: (opened: OpenedConnection) => void): () => void;
};

/** `user`: the account on the server. */
type Opened = { owner: string; serverId: string; user: string };

/**
 * The pool’s live connections, found by person, session, server and account. A session uses its own
 * connections only: a person who signs in with a password alone holds no key, and must not act over the
 * connection of a browser that holds one. `onOpened` gets each connection that was opened.
 */
export function createConnectionSource(
  pool: ConnectionPool,
  onOpened: (opened: Opened, connection: RemoteConnection) => unknown = () => {},
): SessionConnections {
  pool.onOpened(({ owner, serverId }, connection) =>
    onOpened({ owner, serverId, user: connection.facts.username }, connection),
  );
  return {
    leaveSession: (sessionId) => pool.leaveSession(sessionId),
    endSession: (sessionId) => pool.closeSession(sessionId),
    find: (request) => pool.get(request),
    onChange: (listener) => pool.onChange(() => listener()),
    onOpened: (listener) =>
      pool.onChange((key) => {
        const connection = pool.get(key);
        if (connection && key.user !== undefined)
          listener({
            ...{ owner: key.owner, serverId: key.serverId, user: key.user, connection },
            ofTerminal: key.endsWith !== undefined,
          });
      }),
    onOwnersChange: (listener) => pool.onChange(({ owner, serverId }) => listener(owner, serverId)),
  };
}
