import { notificationRules } from '@homeport/contract/notifications/kinds';
import type { SessionIdentity } from '@homeport/contract/services';
import { type MutedSubject, muteUntil, type OwnerRead, ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../../confirmation/confirmed.ts';
import { notFound, ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';

type Deps = { store: Pick<Store, 'transact'>; clock: () => number };

/**
 * Mutes what `find` finds for so many minutes; null ends that. News of it is kept, and what still goes on at the end is sent then. Throws as `find`, and `too_many`.
 */
export async function mute(
  { store, clock }: Deps,
  { userId, sessionId }: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  find: (scope: OwnerRead) => Promise<MutedSubject>,
  minutes: number | null,
): Promise<{ mutedUntil: number | null }> {
  return store.transact(ownerFromSession(userId), async (scope) => {
    await holdSession(scope, sessionId);
    const subject = await find(scope);
    const now = clock();
    const endsAt = minutes === null ? null : now + minutes * 60_000;
    if (!(await muteUntil(scope, subject, { endsAt, now })))
      throw new ProblemError(
        'too_many',
        `At most ${notificationRules.timedMutes} incidents, servers and apps are muted at once.`,
        { recovery: 'End one of them first, or mute the server.' },
      );
    await notifyChange(scope.db, scope.owner, 'notifications', null);
    return { mutedUntil: endsAt };
  });
}

/** Throws `not_found` for an incident that does not exist or is somebody else’s. */
export const incidentOf =
  (id: string) =>
  async ({ owner, db }: OwnerRead): Promise<MutedSubject> => {
    const thread = await db
      .selectFrom('notice_threads')
      .select('id')
      .where('id', '=', id)
      .where('owner_id', '=', owner)
      .executeTakeFirst();
    if (!thread) throw notFound('incident');
    return { of: 'incident', id };
  };
