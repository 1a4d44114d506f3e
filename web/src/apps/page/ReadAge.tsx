import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { useQueryClient } from '@tanstack/react-query';
import { ConnectionAge, ConnectionBadge } from '../../connections/ConnectionBadge.tsx';
import { useServerCall } from '../../connections/call-on-server.ts';
import { problemText } from '../../data/problem-text.ts';
import { answersAbout } from '../../data/query-keys.ts';
import { useApi } from '../../data/use-api.ts';
import { IconButton } from '../../ui/button/Button.tsx';
import { toast } from '../../ui/feedback/toasts.ts';

/**
 * The button that reads the app from its server again, the connection, and when the server was last asked. The words change their
 * length, so the button stands before them.
 */
export function ReadAge({ app, server }: { app: App; server: Server }) {
  const client = useQueryClient();
  const params = { id: app.id };
  const known = useApi('GET /api/apps/:id/known', { params }).data;
  const refresh = useServerCall('POST /api/apps/:id/refresh', {
    onDone: () => client.invalidateQueries(answersAbout(app.id)),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  if (server.simulated) return <ConnectionBadge server={server} />;
  const closed = closedTexts(server)?.ask;
  const times = [known?.deploys, known?.resources, known?.system].flatMap((each) => each?.readAt ?? []);
  return (
    <>
      <IconButton
        label={`Read ${app.name} from its server again`}
        icon="refresh"
        disabledReason={closed}
        aria-busy={refresh.isPending || undefined}
        disabled={refresh.isPending}
        onClick={() => refresh.mutate({ params })}
      />
      {known ? (
        <ConnectionAge server={server} readAt={times.length === 0 ? null : Math.max(...times)} />
      ) : (
        <ConnectionBadge server={server} />
      )}
    </>
  );
}
