import type { QuietHours } from '@homeport/contract/destinations/quiet-hours';
import type { Destination } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type OwnerWrite, ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { holdSession } from '../confirmation/confirmed.ts';
import { wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, readDestination } from './destination-record.ts';

/** Sets or ends the quiet hours of a destination, the address of the account among them. What waits leaves when the new ones allow it. */
export async function setQuietHours(
  { store, mailConfigured }: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
  quietHours: QuietHours | null,
): Promise<Destination> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    await holdDestination(scope, id);
    if (quietHours && !(await knowsZone(scope, quietHours.zone)))
      throw wrongField('quietHours.zone', 'The console does not know this time zone.');
    await scope.db
      .updateTable('notice_destinations')
      .set({ quiet_hours: quietHours && JSON.stringify(quietHours) })
      .where('id', '=', id)
      .execute();
    await notifyChange(scope.db, owner, 'destinations', id);
    return readDestination(scope, id, mailConfigured);
  });
}

/** The store reads the clock of the zone, so its own list counts as well: a zone that it does not know has no quiet hours. */
async function knowsZone({ db }: OwnerWrite, zone: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select knows_time_zone(${zone}) as known`.execute(db);
  return rows[0]?.known ?? false;
}
