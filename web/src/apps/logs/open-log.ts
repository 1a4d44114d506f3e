import type { QueryClient } from '@tanstack/react-query';
import { connectTo } from '../../connections/connect.ts';
import { failed } from '../../connections/opening-state.ts';
import { withConnection } from '../../connections/with-connection.ts';
import { problemOf, unreachable } from '../../data/api-problem.ts';
import { call } from '../../data/call.ts';
import { routeUrl } from '../../data/route-url.ts';

export type LogRoute = 'GET /api/apps/:id/logs' | 'GET /api/apps/:id/deploy-log';

export interface LogSource {
  route: LogRoute;
  /** Of the app. */
  id: string;
  /** How far back it begins, per container; for an app's own log. */
  lines?: number | undefined;
  /** `web`: that kind of process alone. */
  process?: string | undefined;
}

/**
 * Opens a log of an app, after the event that was seen last. Read with fetch: an EventSource does not tell why it was
 * refused. Where a connection is needed, one is opened without a word; where that cannot be, it rejects with NoConnection.
 */
export function openLog(
  client: QueryClient,
  source: LogSource,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return withConnection(
    () => fetchLog(source, lastEventId, signal),
    async (needed) => {
      if (!needed) return failed('protocol', 'The console did not say which connection it needs.');
      const server = await call('GET /api/servers/:id', { params: { id: needed.serverId } });
      return connectTo(client, server, needed.user, { quiet: true, signal });
    },
  );
}

async function fetchLog(
  { route, id, lines, process }: LogSource,
  lastEventId: string | null,
  signal: AbortSignal,
) {
  const { url } = routeUrl(route, { params: { id }, query: { lines, process } });
  const headers = {
    accept: 'text/event-stream',
    ...(lastEventId !== null && { 'last-event-id': lastEventId }),
  };
  const answer = await fetch(url, { headers, credentials: 'same-origin', signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (!answer.ok) throw await problemOf(answer);
  if (!answer.body) throw unreachable();
  return answer.body;
}
