import type { Operation } from '@homeport/contract/operations/schema';
import type { QueryClient } from '@tanstack/react-query';
import type { FailedState, ReadyState } from '../connections/opening-state.ts';
import { call } from '../data/call.ts';

/**
 * The account that a waiting operation needs a connection as; null where it waits for no connection. `elsewhere`: it waits
 * for another sign-in, whose connections are not this page's to open, until the person continues the work here.
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

/** Opens the connection that an operation waits for; the console goes on by itself once it is there. */
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
