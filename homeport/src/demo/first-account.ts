import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '@homeport/store';

export type FirstAccount = { id: string; name: string };

const lookEveryMs = 500;

/** Resolves with the console's first account once it exists, or with null when `signal` ends the wait. */
export async function firstAccount(
  store: Pick<Store, 'db'>,
  signal: AbortSignal,
): Promise<FirstAccount | null> {
  while (!signal.aborted) {
    const found = await store.db
      .selectFrom('auth.user')
      .select(['id', 'name'])
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (found) return found;
    await wait(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  return null;
}
