import { setTimeout as wait } from 'node:timers/promises';
import {
  claimLook,
  clockAhead,
  planMessages,
  planRepeats,
  raiseBrokenDestinations,
  raiseFailedDeploys,
  raiseFailedOperations,
  repeatWork,
  type Store,
} from '@homeport/store';
import { type DeliverDeps, startDue, type UnderWay } from './deliver-messages.ts';

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

/** While something is on its way, new news is looked for this often. */
const planEveryMs = 1_000;

/**
 * Raises news of failed operations and deploys, repeats what nobody has acknowledged, decides which messages are sent, and sends them, until nothing is due and nothing on its
 * way. What is slow holds nothing else: every end of a message, and every second, what is due then is begun.
 */
export async function tellOnce(deps: TellingDeps, stopped: () => boolean): Promise<void> {
  const { store } = deps;
  const { pool, db } = store;
  const ahead = await clockAhead(pool);
  const clock = () => deps.clock() + ahead;
  const underWay: UnderWay = new Map();
  try {
    for (let planned = Number.NEGATIVE_INFINITY; !stopped(); ) {
      if (planned <= performance.now() - planEveryMs) {
        await raiseOwn(store, clock());
        await planMessages(db, clock());
        planned = performance.now();
      }
      const begun = await startDue({ ...deps, pool, clock }, underWay);
      if (underWay.size > 0) await raceWith(underWay, planEveryMs);
      else if (begun === 0) return;
    }
  } finally {
    await Promise.all(underWay.keys());
  }
}

async function raiseOwn({ pool, db }: TellingDeps['store'], now: number): Promise<void> {
  if (!(await claimLook(pool, 'work', { now, everyMs: lookEveryMs, gapMs: lookEveryMs }))) return;
  await raiseFailedOperations(pool, now);
  await raiseFailedDeploys(pool, now);
  await raiseBrokenDestinations(pool, now);
  await planRepeats(db, now);
}

async function raceWith(underWay: UnderWay, ms: number): Promise<void> {
  const over = new AbortController();
  const timer = wait(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  await Promise.race([...underWay.keys(), timer]);
  over.abort();
}
