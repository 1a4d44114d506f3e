import type { Operation } from '@homeport/contract/operations';
import type { QueryClient } from '@tanstack/react-query';
import type { FailedState, ReadyState } from '../connections/opening-state.ts';
import { call } from '../data/call.ts';

/** The account that a waiting operation needs a connection as; null where it waits for nothing of this page's. */
export function neededConnection(operation: Operation): { serverId: string; user: string } | null {
  const { state, waitingFor, serverId } = operation;
  if (state !== 'waiting' || waitingFor?.reason !== 'connection') return null;
  return serverId !== null && waitingFor.user !== undefined ? { serverId, user: waitingFor.user } : null;
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
