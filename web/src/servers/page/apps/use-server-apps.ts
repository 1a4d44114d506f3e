import { appsImported } from '@homeport/contract/messages';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callOnServer, useServerCall } from '../../../connections/call-on-server.ts';
import { useConnectionState } from '../../../connections/connection-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { problemText } from '../../../data/api-problem.ts';
import { onServerKey, topicKey } from '../../../data/query-keys.ts';
import { toast } from '../../../ui/feedback/toasts.ts';

/** The server's own list of apps, read over an open connection. Also imports the apps without a record. */
export function useServerApps(server: Server) {
  const client = useQueryClient();
  const connected = useConnectionState(server)?.kind === 'connected';
  const params = { id: server.id };
  const queryKey = onServerKey('GET /api/servers/:id/apps', server.id);
  const onServer = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callOnServer(client, 'GET /api/servers/:id/apps', { params }, { quiet: true, signal }),
    enabled: connected && !server.metal && server.setup === 'ready',
    refetchInterval: false,
  });
  const act = useServerCall('POST /api/servers/:id/import', {
    onDone: ({ imported, left }) => {
      toast.ok(appsImported(imported));
      if (left > 0)
        toast.info(
          `${left.toLocaleString('en')} more apps are on the server. Import again for more of them.`,
        );
      void client.invalidateQueries({ queryKey: topicKey('apps') });
      void client.invalidateQueries({ queryKey });
    },
    onFailed: (error) => {
      const asked = error instanceof NoConnection && error.state.code === 'declined';
      if (!asked) toast.bad(problemText(error));
    },
  });
  return {
    /** null until the server has answered. */
    onServer: onServer.data ?? null,
    failed: onServer.isError && connected,
    importing: act.isPending,
    connecting: act.connecting,
    importApps: () => act.mutate({ params }),
  };
}
