import type { Store } from '@homeport/store';

const lookEveryMs = 60_000;

/**
 * Tells this replica of every session that ends anywhere: signed out, revoked by a new password, or expired. Expired ones
 * are removed here, within a minute.
 */
export async function watchSessionEnds(
  store: Store,
  onEnded: (sessionId: string) => void,
  onError: (error: unknown) => void,
): Promise<() => void> {
  const stopListening = await store.listener.on('session', ({ ended }) => onEnded(ended));
  const timer = setInterval(() => endExpiredSessions(store, new Date()).catch(onError), lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

export async function endExpiredSessions(store: Store, now: Date): Promise<void> {
  const expired = await store.db
    .deleteFrom('auth.session')
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  for (const { id } of expired) await store.notify('session', { ended: id });
}
