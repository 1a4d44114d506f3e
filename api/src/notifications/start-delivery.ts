import { setTimeout as wait } from 'node:timers/promises';
import {
  claimLook,
  planMessages,
  raiseFailedDeploys,
  raiseFailedOperations,
  repeatWork,
  type Store,
} from '@homeport/store';
import { type DeliverDeps, deliverMessages } from './deliver-messages.ts';

export type TellingDeps = Omit<DeliverDeps, 'pool'> & { store: Pick<Store, 'db' | 'pool'> };

const lookEveryMs = 15_000;
/**
 * How long closing waits for messages on their way. A message without an answer waits for the end of its
 * claim; then a living process tries it again.
 */
const closeWithinMs = 3_000;

/** Sends people their news until it is closed. Several processes may do this together. */
export function startDelivery(deps: TellingDeps): { close(): Promise<void> } {
  let closed = false;
  const work = repeatWork(
    'messages',
    () => tellOnce(deps, () => closed),
    (error) => {
      if (!closed) deps.log.error({ err: error }, 'news could not be sent');
    },
  );
  return {
    async close() {
      closed = true;
      await Promise.race([work.stop(), wait(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

/** Raises news of failed operations and deploys, decides which messages are sent, and sends them. */
export async function tellOnce(deps: TellingDeps, stopped: () => boolean): Promise<void> {
  const { store, clock } = deps;
  const { pool, db } = store;
  const now = clock();
  if (await claimLook(pool, 'work', { now, everyMs: lookEveryMs, gapMs: lookEveryMs })) {
    await raiseFailedOperations(pool, now);
    await raiseFailedDeploys(pool, now);
  }
  await planMessages(db, now);
  while (!stopped() && (await deliverMessages({ ...deps, pool })) > 0);
}
