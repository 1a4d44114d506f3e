import { setTimeout as wait } from 'node:timers/promises';
import { notificationChannels } from '@homeport/contract/notifications/kinds';
import {
  claimLook,
  planMessages,
  type Store,
  tellFailedDeploys,
  tellFailedOperations,
} from '@homeport/store';
import { type DeliverDeps, deliverMessages } from './deliver-messages.ts';

export type TellingDeps = Omit<DeliverDeps, 'pool'> & { store: Pick<Store, 'db' | 'pool'> };

const beatMs = 5_000;
const lookEveryMs = 15_000;
/** What a mail server has not answered by then is left to the claim's end, and to whichever process lives then. */
const closeWithinMs = 3_000;

/** Tells people their news for as long as it runs, together with whichever other processes do. */
export function startTelling(deps: TellingDeps): { close(): Promise<void> } {
  let telling: Promise<void> | null = null;
  let closed = false;
  const timer = setInterval(() => {
    telling ??= tellOnce(deps, () => closed)
      .catch((error: unknown) => {
        if (!closed) deps.log.error({ err: error }, 'people could not be told their news');
      })
      .finally(() => {
        telling = null;
      });
  }, beatMs);
  timer.unref();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      if (telling) await Promise.race([telling, wait(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

/** Raises news of what the api knows, decides which messages leave, and sends them. */
export async function tellOnce(deps: TellingDeps, stopped: () => boolean): Promise<void> {
  const { store, clock } = deps;
  const { pool, db } = store;
  const now = clock();
  if (await claimLook(pool, 'work', { now, everyMs: lookEveryMs, gapMs: lookEveryMs })) {
    await tellFailedOperations(pool, now);
    await tellFailedDeploys(pool, now);
  }
  for (const channel of notificationChannels) await planMessages(db, channel, now);
  while (!stopped() && (await deliverMessages({ ...deps, pool })) > 0);
}
