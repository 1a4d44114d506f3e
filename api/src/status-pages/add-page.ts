import type { SessionIdentity } from '@homeport/contract/services';
import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { StatusPage } from '@homeport/contract/status-pages/schema';
import { isUniqueViolation, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { StatusPageDeps } from './deps.ts';
import { readPage } from './page-record.ts';
import { refuseFreedAddress } from './refuse-freed-address.ts';

/** Makes a page that nobody sees yet. Throws `limit_reached`, or `conflict` for a slug that is taken. */
export async function addPage(
  { store, clock }: StatusPageDeps,
  { userId, sessionId }: SessionIdentity,
  { slug, title }: { slug: string; title: string },
): Promise<StatusPage> {
  const owner = ownerFromSession(userId);
  return refusingTakenSlugs(() =>
    store.transact(owner, async (scope) => {
      await holdSession(scope, sessionId);
      await refuseAbove(scope, 'status pages', statusPageLimits.pages);
      const { id } = await scope.db
        .insertInto('status_pages')
        .values({ owner_id: owner, slug, title, created_at: clock() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await refuseFreedAddress(scope, slug, clock());
      await notifyChange(scope.db, owner, 'status-pages', id);
      return readPage(scope, id);
    }),
  );
}

/** Slugs are of one console, so somebody else may have taken one. The store decides, also between two that come at once. */
export async function refusingTakenSlugs<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'This address is taken. Choose another one.';
    throw new ProblemError('conflict', message, { fields: { slug: message } });
  }
}
