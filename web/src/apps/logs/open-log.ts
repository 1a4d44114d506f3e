import type { QueryClient } from '@tanstack/react-query';
import { connectTo } from '../../connections/connect.ts';
import { failed } from '../../connections/opening-state.ts';
import { withConnection } from '../../connections/with-connection.ts';
import { call } from '../../data/call.ts';
import { type EventOf, openStream } from '../../data/open-stream.ts';

export type LogRoute = 'GET /api/apps/:id/logs' | 'GET /api/apps/:id/deploy-log';

/** One event of a log, and where the reader stands after it. */
export type LogEvent = EventOf<LogRoute>;

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
 * Opens a log of an app, after the event that was seen last. Where a connection is needed, one is opened without a word; where that cannot be, it rejects with NoConnection.
 */
export function openLog(
  client: QueryClient,
  { route, id, lines, process }: LogSource,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<AsyncIterable<LogEvent>> {
  return withConnection(
    () => openStream(route, { params: { id }, query: { lines, process } }, { after: lastEventId, signal }),
    async (needed) => {
      if (!needed) return failed('protocol', 'The console did not say which connection it needs.');
      const server = await call('GET /api/servers/:id', { params: { id: needed.serverId } });
      return connectTo(client, server, needed.user, { quiet: true, signal });
    },
  );
}
