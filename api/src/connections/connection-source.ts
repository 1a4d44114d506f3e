import type { ConnectionPool } from '@homeport/ssh';
import type { ConnectionSource } from '../remote/server-access.ts';

export type SessionConnections = ConnectionSource & {
  /** Says whose session it is, so that work of one of a person’s sessions can go on over a connection of another. */
  know(session: { userId: string; sessionId: string }): void;
  /** Closes what the session held; at sign-out and at its expiry. */
  endSession(sessionId: string): void;
  /** Calls with the person and the server whenever one of the connections came or went. Returns how to stop listening. */
  onOwnersChange(listener: (owner: string, serverId: string) => void): () => void;
};

/** The pool’s live connections, found by person, server and account. */
export function createConnectionSource(pool: ConnectionPool): SessionConnections {
  const ownerOf = new Map<string, string>();
  return {
    know: ({ userId, sessionId }) => void ownerOf.set(sessionId, userId),
    endSession(sessionId) {
      ownerOf.delete(sessionId);
      pool.closeSession(sessionId);
    },
    find({ owner, sessionId, serverId, user }) {
      // The asking session’s own first; a session that was not known to be the owner’s is never looked at.
      const sessions = [sessionId, ...[...ownerOf.keys()].filter((each) => each !== sessionId)];
      for (const each of sessions) {
        if (ownerOf.get(each) !== owner) continue;
        const connection = pool.get({ sessionId: each, serverId, user });
        if (connection) return connection;
      }
      return null;
    },
    onChange: (listener) => pool.onChange(() => listener()),
    onOwnersChange: (listener) =>
      pool.onChange(({ sessionId, serverId }) => {
        const owner = ownerOf.get(sessionId);
        if (owner) listener(owner, serverId);
      }),
  };
}
