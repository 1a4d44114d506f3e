import { lacksDokku } from '@homeport/contract/servers/platform';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { useConnectionState } from '../../../connections/connection-state.ts';
import { onServerKey } from '../../../data/query-keys.ts';

/** The server's own list of apps, read over an open connection. */
export function useServerApps(server: Server) {
  const client = useQueryClient();
  const connected = useConnectionState(server)?.kind === 'connected';
  const params = { id: server.id };
  const onServer = useQuery({
    queryKey: onServerKey('GET /api/servers/:id/apps', server.id),
    queryFn: ({ signal }) =>
      callOnServer(client, 'GET /api/servers/:id/apps', { params }, { quiet: true, signal }),
    enabled: connected && !server.metal && !lacksDokku(server),
    refetchInterval: false,
  });
  return {
    /** null until the server has answered. */
    onServer: onServer.data ?? null,
    failed: onServer.isError && connected,
    connected,
  };
}
