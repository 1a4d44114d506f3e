import type { DatabasePlugins } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callOnServer } from '../../connections/call-on-server.ts';
import { useConnectionState } from '../../connections/connection-state.ts';
import { onServerKey } from '../../data/query-keys.ts';
import { answerOf, type OnServer } from '../../on-server/server-answer.ts';

export type PluginsOnServer = OnServer<DatabasePlugins> & { refetch: () => unknown };

/** The types of database that a server can make. The server is asked without asking the user. */
export function useDatabasePlugins(server: Server | null): PluginsOnServer {
  const client = useQueryClient();
  const connection = useConnectionState(server)?.kind;
  const id = server?.id ?? '';
  const query = useQuery({
    queryKey: onServerKey('GET /api/servers/:id/database-plugins', id),
    queryFn: ({ signal }) =>
      callOnServer(
        client,
        'GET /api/servers/:id/database-plugins',
        { params: { id } },
        { quiet: true, signal },
      ),
    enabled: connection === 'connected' || connection === 'reconnects',
    refetchInterval: false,
  });
  const shown = connection === 'reconnects' ? 'connected' : connection;
  return { ...answerOf(query, shown), refetch: query.refetch };
}
