import type { Acknowledged } from '@homeport/contract/notifications/news-page';
import type { SessionIdentity } from '@homeport/contract/services';
import { acknowledgeThread, ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../../confirmation/confirmed.ts';
import { notFound, ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';

type Deps = { store: Pick<Store, 'transact'>; clock: () => number };

/**
 * Keeps that somebody looks into an incident, or takes that back. Its pages hear of that. Whoever said so first stays: two devices of
 * one person that press at once agree. Throws `not_found`, or `conflict` for an incident that does not go on.
 */
export async function acknowledge(
  { store, clock }: Deps,
  { userId, sessionId, name }: Pick<SessionIdentity, 'userId' | 'sessionId' | 'name'>,
  incident: string,
  acknowledged: boolean,
): Promise<{ acknowledged: Acknowledged | null }> {
  return store.transact(ownerFromSession(userId), async (scope) => {
    await holdSession(scope, sessionId);
    const who = acknowledged ? { by: name, at: clock() } : null;
    const kept = await acknowledgeThread(scope, incident, who);
    if (kept === undefined) throw notFound('incident');
    if ('refused' in kept)
      throw new ProblemError(
        'conflict',
        kept.refused === 'over'
          ? 'It is over, so nobody has to look into it any more.'
          : 'It does not go on: such news has no end.',
      );
    await notifyChange(scope.db, scope.owner, 'notifications', null);
    return kept;
  });
}
