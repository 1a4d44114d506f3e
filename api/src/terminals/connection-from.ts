import { CommandError, type Connection, type ConnectionPool } from '@homeport/ssh';
import type { ConnectionRequest } from '../remote/server-access.ts';

export type ConnectionOf = { pool: Pick<ConnectionPool, 'get'> };

type Request = Omit<ConnectionRequest, 'sessionId'> & { session: { sessionId: string } };

/** The connection of this sign-in, with its terminals. It may have ended since it was found. */
export function connectionFrom(
  { pool }: ConnectionOf,
  { owner, session: { sessionId }, serverId, user }: Request,
): Connection {
  const connection = pool.get({ owner, sessionId, serverId, user });
  if (!connection) throw new CommandError({ code: 'connection_required' });
  return connection;
}
