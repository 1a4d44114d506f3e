import type { QueryClient } from '@tanstack/react-query';
import { connectTo } from '../connections/connect.ts';
import { failed } from '../connections/opening-state.ts';
import { withConnection } from '../connections/with-connection.ts';
import { call } from '../data/call.ts';
import { type EventOf, openStream } from '../data/open-stream.ts';

export type LogRoute =
  | 'GET /api/apps/:id/logs'
  | 'GET /api/apps/:id/deploy-log'
  | 'GET /api/databases/:id/logs';

/** One event of a log, with the reader's position after the event. */
export type LogEvent = EventOf<LogRoute>;

export interface LogSource {
  route: LogRoute;
  /** The id of the app or the database. */
  id: string;
  /** For the own log of an app or a database: how many past lines to read from each container. */
  lines?: number | undefined;
  /** Limits the log to one kind of process, such as `web`. */
  process?: string | undefined;
  /** For a deploy log: whether to read the log of a deploy that is over. */
  past?: boolean | undefined;
}

/**
 * Opens a log of an app or a database after the last seen event. If a connection is needed, the page opens one without
 * asking. Rejects with NoConnection when that fails.
 */
export function openLog(
  client: QueryClient,
  { route, id, lines, process, past }: LogSource,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<AsyncIterable<LogEvent>> {
  return withConnection(
    () =>
      openStream(
        route,
        { params: { id }, query: { lines, process, past: past?.toString() } },
        { after: lastEventId, signal },
      ),
    async (needed) => {
      if (!needed) return failed('protocol', 'The console did not say which connection it needs.');
      const server = await call('GET /api/servers/:id', { params: { id: needed.serverId } });
      return connectTo(client, server, needed.user, { quiet: true, signal });
    },
  );
}
