import { closedTexts } from '@homeport/contract/servers/closed';
import { ConnectionAge, ConnectionBadge } from '../../connections/ConnectionBadge.tsx';
import { IconButton } from '../../ui/button/Button.tsx';
import type { DatabasePlace } from './database-place.ts';
import { useDatabaseRefresh } from './use-database-refresh.ts';

/**
 * The button that reads the database from its server again, the connection, and when the server was last asked. The words change their
 * length, so the button stands before them.
 */
export function ReadAge({ place: { database, server } }: { place: DatabasePlace }) {
  const refresh = useDatabaseRefresh(database.id);
  if (server.simulated) return <ConnectionBadge server={server} />;
  return (
    <>
      <IconButton
        label={`Read ${database.name} from its server again`}
        icon="refresh"
        disabledReason={closedTexts(server)?.ask}
        aria-busy={refresh.busy || undefined}
        disabled={refresh.busy}
        onClick={refresh.run}
      />
      <ConnectionAge server={server} readAt={database.readAt} />
    </>
  );
}
