import { randomUUID } from 'node:crypto';
import type { Destination, Target } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { refuseAbove } from '../http/ceiling.ts';
import { notifyChange } from '../live/notify-change.ts';
import { sealTarget } from '../notifications/seal-target.ts';
import type { DestinationDeps } from './deps.ts';
import { readDestination } from './destination-record.ts';
import { refusePointOffCurve, refuseSameBrowser } from './judge-browser.ts';
import { noteDestination } from './note-destination.ts';

/** Adds a destination. The answer is the only place that ever holds a webhook's secret in clear. */
export async function addDestination(
  { store, sealer, clock, most, mailConfigured }: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  { name, target }: { name: string; target: Target },
): Promise<{ record: Destination; secret: string | null }> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    if (target.kind === 'web-push') refusePointOffCurve(target);
    await refuseAbove(scope, 'destinations', most);
    const id = randomUUID();
    const { shown, sealed, secret, device, waitsFor } = sealTarget(sealer, { ownerId: owner, id }, target);
    await scope.db
      .insertInto('notice_destinations')
      .values({
        ...{ id, owner_id: owner, kind: target.kind, name, shown, sealed, device, created_at: clock() },
        ...(waitsFor !== null && { state: 'off' as const, problem: waitsFor }),
      })
      .execute()
      .catch(refuseSameBrowser);
    await noteDestination(scope, 'destination_added', { kind: target.kind, shown, sessionId, at: clock() });
    await notifyChange(scope.db, owner, 'destinations', id);
    return { record: await readDestination(scope, id, mailConfigured), secret };
  });
}
