import type { ConnectionPool } from '@homeport/ssh';
import type { ConnectionSource } from '../remote/server-access.ts';

export type SessionConnections = ConnectionSource & {
  /** Closes what the session held; at sign-out and at its expiry. */
  endSession(sessionId: string): void;
  /** Calls with the person and the server whenever one of the connections came or went. Returns how to stop listening. */
  onOwnersChange(listener: (owner: string, serverId: string) => void): () => void;
};

/**
 * The pool’s live connections, found by person, session, server and account. A session uses its own connections only:
 * whoever signs in with a password alone holds no key, and must not act over the connection of a browser that holds one.
 */
export function createConnectionSource(pool: ConnectionPool): SessionConnections {
  return {
    endSession: (sessionId) => pool.closeSession(sessionId),
    find: (request) => pool.get(request),
    onChange: (listener) => pool.onChange(() => listener()),
    onOwnersChange: (listener) => pool.onChange(({ owner, serverId }) => listener(owner, serverId)),
  };
}
