import { addProxyUse, forgetNames, forgetProxyUse, forgetPurges, type Store } from '@homeport/store';
import type { UseCounter } from './use-counter.ts';

/** The most entries in one statement. */
const batch = 1_000;
const tidyEveryMs = 3_600_000;

/** Brings the counts to the store regularly. What the store cannot take waits for the next time, within the counter's bound. */
export function flushUse(deps: {
  use: UseCounter;
  store(): Store | null;
  clock(): number;
  report(error: unknown, what: string): void;
  everyMs?: number;
}): { close(): Promise<void> } {
  const { use, clock, report } = deps;
  let working: Promise<void> = Promise.resolve();
  let tidiedAt = clock();

  async function flush(): Promise<void> {
    const store = deps.store();
    if (store === null) return;
    const taken = use.take();
    for (let at = 0; at < taken.length; at += batch) {
      try {
        await addProxyUse(store.pool, taken.slice(at, at + batch));
      } catch (error) {
        use.giveBack(taken.slice(at));
        throw error;
      }
    }
    if (clock() - tidiedAt < tidyEveryMs) return;
    tidiedAt = clock();
    await forgetProxyUse(store.pool, clock());
    await forgetPurges(store.pool, clock());
    await forgetNames(store.pool, clock());
  }

  const work = () => {
    working = working.then(flush).catch((error: unknown) => report(error, 'storing what visitors did'));
    return working;
  };
  const timer = setInterval(() => void work(), deps.everyMs ?? 10_000);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await work();
    },
  };
}
