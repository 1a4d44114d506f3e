import { closedTexts } from '@homeport/contract/servers/closed';
import { IconButton } from '../../ui/button/Button.tsx';
import { Time } from '../../ui/text/Time.tsx';
import type { DatabasePlace } from './database-place.ts';
import { useDatabaseRefresh } from './use-database-refresh.ts';

/** When the server last told of the database, and the button that asks it again. */
export function ReadAge({ place: { database, server } }: { place: DatabasePlace }) {
  const refresh = useDatabaseRefresh(database.id);
  if (server.simulated) return null;
  return (
    <>
      <span>
        {database.readAt === null ? (
          'Not read from the server yet'
        ) : (
          <>
            Read <Time at={database.readAt} />
          </>
        )}
      </span>
      <IconButton
        label={`Read ${database.name} from its server again`}
        icon="refresh"
        disabledReason={closedTexts(server)?.ask}
        aria-busy={refresh.busy || undefined}
        disabled={refresh.busy}
        onClick={refresh.run}
      />
    </>
  );
}
