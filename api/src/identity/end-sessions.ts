import { repeatWork, type Store } from '@homeport/store';
import { sql } from 'kysely';

/**
 * Tells this replica about every session that ends in any replica: by sign-out, by a new password, or by
 * expiry. Removes expired sessions within a minute. A notification is lost while the store cannot be reached,
 * so the sessions that `held` names are looked up once a minute as well.
 */
export async function watchSessionEnds(
  store: Store,
  onEnded: (sessionId: string) => void,
  onError: (error: unknown) => void,
  held: () => string[] = () => [],
): Promise<() => void> {
  const stopListening = await store.listener.on('session', ({ ended }) => onEnded(ended));
  const look = async () => {
    await endExpiredSessions(store, new Date());
    for (const sessionId of await sessionsGone(store, held())) onEnded(sessionId);
  };
  const looks = repeatWork('sessions', look, onError);
  return () => {
    void looks.stop();
    stopListening();
  };
}

/**
 * Ends the person's sessions beyond the `most` that were used last, so forgotten sign-ins keep nobody out.
 */
export async function endOldestSessions(store: Store, userId: string, most: number): Promise<void> {
  const ended = await store.db.transaction().execute(async (db) => {
    // One at a time: when two sign in at once, the second sees the session of the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport sessions ${userId}`}, 0))`.execute(
      db,
    );
    return db
      .deleteFrom('auth.session')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('auth.session')
          .select('id')
          .where('userId', '=', userId)
          .orderBy('updatedAt', 'desc')
          .orderBy('createdAt', 'desc')
          .offset(most),
      )
      .returning('id')
      .execute();
  });
  for (const { id } of ended) await store.notify('session', { ended: id });
}

export async function endExpiredSessions(store: Store, now: Date): Promise<void> {
  const expired = await store.db
    .deleteFrom('auth.session')
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  for (const { id } of expired) await store.notify('session', { ended: id });
}

/** Returns the sessions that have ended, and the API tokens that were revoked or have expired. */
export async function sessionsGone(
  store: Store,
  sessionIds: readonly string[],
  now = Date.now(),
): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await store.db
    .selectFrom('auth.session')
    .select('id')
    .where('id', 'in', sessionIds)
    .where('expiresAt', '>', new Date(now))
    .union((eb) =>
      eb.selectFrom('api_tokens').select('id').where('id', 'in', sessionIds).where('expires_at', '>', now),
    )
    .execute();
  const going = new Set(rows.map(({ id }) => id));
  return sessionIds.filter((id) => !going.has(id));
}
