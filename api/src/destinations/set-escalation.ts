import type { Destination } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { forgetSettled, holdPlanning, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, readDestination, refuseOthers } from './destination-record.ts';

/**
 * Sets what a destination, the address of the account among them, does with news that nobody acknowledges: whether it waits for that, and how
 * often the news is repeated. It holds from the next plan on, also for what waits. Throws `invalid_input` or `not_found`.
 */
export async function setEscalation(
  { store, mailConfigured }: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
  { afterMinutes, repeatHours }: { afterMinutes: number; repeatHours: number | null },
): Promise<Destination> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    await refuseOthers(scope, id);
    // Before the row: planning takes both in this order, too.
    await holdPlanning(scope.db, id);
    const { kind } = await holdDestination(scope, id);
    // A second alert of the same key says nothing there.
    if (kind === 'pagerduty' && repeatHours !== null)
      throw wrongField('repeatHours', 'PagerDuty repeats its alerts itself.');
    if (afterMinutes === 0) await forgetSettled(scope.db, [id]);
    await scope.db
      .updateTable('notice_destinations')
      .set({ after_minutes: afterMinutes, repeat_hours: repeatHours })
      .where('id', '=', id)
      .execute();
    await notifyChange(scope.db, owner, 'destinations', id);
    return readDestination(scope, id, mailConfigured);
  });
}
