import { type HourlyLimit, mostMailsPerHour } from '@homeport/contract/destinations/facts';
import type { Destination } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, readDestination } from './destination-record.ts';

/**
 * Sets how many messages a destination gets within any hour, the address of the account among them. It holds from the next plan on: what was
 * decided on before still leaves, and counts. Throws `invalid_input` or `not_found`.
 */
export async function setHourlyLimit(
  { store, mailConfigured }: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
  perHour: HourlyLimit,
): Promise<Destination> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    const { kind } = await holdDestination(scope, id);
    if (kind === 'email' && perHour > mostMailsPerHour)
      throw wrongField('perHour', `An address gets at most ${mostMailsPerHour} messages an hour.`);
    await scope.db
      .updateTable('notice_destinations')
      .set({ per_hour: perHour })
      .where('id', '=', id)
      .execute();
    await notifyChange(scope.db, owner, 'destinations', id);
    return readDestination(scope, id, mailConfigured);
  });
}
