import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Destination, Target } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { holdPlanning, type Owner, type OwnerWrite, ownerFromSession } from '@homeport/store';
import { holdSession, requireConfirmed } from '../confirmation/confirmed.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { sealJson, sealTarget } from '../notifications/seal-target.ts';
import { newWebhookSecret } from '../notifications/webhook/sign.ts';
import { webhookSecretSchema } from '../notifications/webhook/webhook-channel.ts';
import { destinationPlace, SealBroken } from '../sealing/sealer.ts';
import type { DestinationDeps } from './deps.ts';
import { holdDestination, readDestination, refuseOthers } from './destination-record.ts';
import { refusePointOffCurve, refuseSameBrowser } from './judge-browser.ts';
import { noteDestination } from './note-destination.ts';

type Edit = {
  version: number;
  name?: string | undefined;
  on?: boolean | undefined;
  target?: Target | undefined;
};
type Held = Awaited<ReturnType<typeof holdDestination>>;

/** Renames a destination, switches it, or replaces its target. Throws `confirmation_required` for another target, `stale_edit`, `conflict`, `invalid_input` or `not_found`. */
export async function changeDestination(
  deps: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
  { version, name, on, target }: Edit,
): Promise<Destination> {
  const { store, sealer, mailConfigured, clock } = deps;
  const owner = ownerFromSession(userId);
  if (target) await requireConfirmed(store.db, { sessionId }, clock());
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    if (on === false) {
      await refuseOthers(scope, id);
      // Before the row, as planning does. A message that is planned at this moment would be missed.
      await holdPlanning(scope.db, id);
    }
    const held = await holdDestination(scope, id);
    refuseAccount(held);
    if (held.version !== version)
      throw new ProblemError('stale_edit', 'This destination was changed elsewhere.', {
        current: await readDestination(scope, id, mailConfigured),
      });
    if (target && target.kind !== held.kind)
      throw wrongField('target', 'A destination keeps its kind. Add another one.');
    if (target?.kind === 'web-push') refusePointOffCurve(target);
    const sealed = target && sealTarget(sealer, place(held), target, await openWebhook(deps, held));
    const waitsFor = sealed?.waitsFor ?? (!sealed && held.state === 'off' ? held.problem : null);
    if (on === true && waitsFor !== null)
      throw new ProblemError('conflict', waitsFor, { recovery: 'Link a chat, and news goes there.' });
    if (on === false) await dropWaiting(scope, id, clock());
    // A new target, or its person, says that the destination works again.
    const heals = on === true || (target !== undefined && held.state === 'broken');
    await scope.db
      .updateTable('notice_destinations')
      .set({
        version: version + 1,
        ...(name !== undefined && { name }),
        ...(sealed && { shown: sealed.shown, sealed: sealed.sealed, device: sealed.device }),
        ...(heals && { state: 'on' as const, problem: null }),
        ...((on === false || waitsFor !== null) && { state: 'off' as const, problem: waitsFor }),
      })
      .where('id', '=', id)
      .execute()
      .catch(refuseSameBrowser);
    if (sealed)
      await noteDestination(scope, 'destination_changed', {
        ...{ kind: held.kind, shown: sealed.shown, sessionId, at: clock() },
      });
    await notifyChange(scope.db, owner, 'destinations', id);
    return readDestination(scope, id, mailConfigured);
  });
}

/** Replaces the secret of a webhook. The replaced one signs beside the new one for a day, so that the receiver can change in between. */
export async function replaceSecret(
  deps: DestinationDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<{ record: Destination; secret: string }> {
  const { store, sealer, clock, mailConfigured } = deps;
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    const held = await holdDestination(scope, id);
    const present = await openWebhook(deps, held);
    if (present === null)
      throw new ProblemError('conflict', 'This destination has no secret that could be replaced.', {
        recovery: 'Only messages to a webhook are signed. Where its secret is lost, add the webhook again.',
      });
    const secret = newWebhookSecret();
    const until = clock() + destinationLimits.previousSecretMs;
    const previous = { secret: present.secret, until };
    await scope.db
      .updateTable('notice_destinations')
      .set({
        sealed: sealJson(sealer, place(held), { url: present.url, secret, previous }),
        previous_until: until,
        version: held.version + 1,
      })
      .where('id', '=', id)
      .execute();
    await noteDestination(scope, 'destination_changed', {
      ...{ kind: held.kind, shown: held.shown, sessionId, at: clock() },
    });
    await notifyChange(scope.db, owner, 'destinations', id);
    return { record: await readDestination(scope, id, mailConfigured), secret };
  });
}

/** Removes a destination with its messages. One that is on its way still arrives. */
export async function removeDestination({ store }: DestinationDeps, owner: Owner, id: string): Promise<void> {
  await store.transact(owner, async (scope) => {
    refuseAccount(await holdDestination(scope, id));
    await scope.db.deleteFrom('notice_destinations').where('id', '=', id).execute();
    await notifyChange(scope.db, owner, 'destinations', id);
  });
}

const place = ({ owner_id: ownerId, id }: Held) => ({ ownerId, id });

function refuseAccount({ kind }: Held): void {
  if (kind !== 'email') return;
  throw new ProblemError(
    'conflict',
    'The address of your account is a destination for as long as you have it.',
    {
      recovery: 'The switches of servers, apps and proxies say what you are notified of.',
    },
  );
}

/** What is sealed of a webhook; null for another kind, and for what no longer opens. */
async function openWebhook({ sealer }: DestinationDeps, { id, owner_id, kind, sealed }: Held) {
  if (kind !== 'webhook' || sealed === null) return null;
  try {
    return await sealer.open(destinationPlace(owner_id, id), sealed, (bytes) =>
      webhookSecretSchema.parse(JSON.parse(bytes.toString('utf8'))),
    );
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

/** What waits would come late, all at once, when the destination is switched on again. */
async function dropWaiting({ db }: OwnerWrite, id: string, now: number): Promise<void> {
  await db
    .updateTable('notice_messages')
    .set((eb) => ({
      state: 'unsent',
      answer: 'Not sent, because the destination was switched off.',
      ended_at: now,
      version: eb('version', '+', 1),
    }))
    .where('destination_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  await db
    .deleteFrom('notice_deliveries')
    .where('destination_id', '=', id)
    .where('message_id', 'is', null)
    .execute();
}
