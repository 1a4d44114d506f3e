import type { Operation } from '@homeport/contract/operations/schema';
import type { QueryClient } from '@tanstack/react-query';
import type { FailedState, ReadyState } from '../connections/opening-state.ts';
import { call } from '../data/call.ts';

/**
 * The account that a waiting operation needs a connection for. null if it waits for no connection.
 * `elsewhere`: the operation waits for another sign-in. This page must not open that sign-in's connections
 * until the user continues the operation here.
 */
export function neededConnection(
  operation: Operation,
  sessionId: string,
): { serverId: string; user: string; elsewhere: boolean } | null {
  const { state, waitingFor, serverId } = operation;
  if (state !== 'waiting' || waitingFor?.reason !== 'connection') return null;
  if (serverId === null || waitingFor.user === undefined) return null;
  return { serverId, user: waitingFor.user, elsewhere: operation.sessionId !== sessionId };
}

/** Opens the connection that an operation waits for. The console then continues the operation by itself. */
export async function reconnect(
  client: QueryClient,
  needed: { serverId: string; user: string },
  options: { quiet: boolean },
): Promise<ReadyState | FailedState> {
  const [{ connectTo }, server] = await Promise.all([
    import('../connections/connect.ts'),
    call('GET /api/servers/:id', { params: { id: needed.serverId } }),
  ]);
  return connectTo(client, server, needed.user, options);
}
