import type { QueryClient } from '@tanstack/react-query';
import { connectTo } from '../../connections/connect.ts';
import { failed } from '../../connections/opening-state.ts';
import { withConnection } from '../../connections/with-connection.ts';
import { problemOf, unreachable } from '../../data/api-problem.ts';
import { call } from '../../data/call.ts';
import { routeUrl } from '../../data/route-url.ts';

export type LogRoute = 'GET /api/apps/:id/logs' | 'GET /api/apps/:id/deploy-log';

/**
 * Opens a log of an app. Read with fetch: an EventSource does not tell why it was refused. Where a connection is needed,
 * one is opened without a word; where that cannot be, it rejects with NoConnection.
 */
export function openLog(
  client: QueryClient,
  route: LogRoute,
  id: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return withConnection(
    () => fetchLog(route, id, signal),
    async (needed) => {
      if (!needed) return failed('protocol', 'The console did not say which connection it needs.');
      const server = await call('GET /api/servers/:id', { params: { id: needed.serverId } });
      return connectTo(client, server, needed.user, { quiet: true, signal });
    },
  );
}

async function fetchLog(route: LogRoute, id: string, signal: AbortSignal) {
  const { url } = routeUrl(route, { params: { id } });
  const headers = { accept: 'text/event-stream' };
  const answer = await fetch(url, { headers, credentials: 'same-origin', signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (!answer.ok) throw await problemOf(answer);
  if (!answer.body) throw unreachable();
  return answer.body;
}
