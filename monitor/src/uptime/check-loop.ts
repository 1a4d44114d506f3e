import { isMissingPartition, nextDue, tendPartitions } from '@homeport/store';
import type { Checker, CheckerDeps } from './checker.ts';

export type CheckLoop = { close(): Promise<void> };

const beatMs = 1_000;
const restMs = 5_000;

/**
 * Has the checker claim what is due, and keep what it found, once a second while there is something to do. Where nothing is
 * due soon it looks again after five seconds at most: that is how late a check that was just set up may begin.
 */
export function startCheckLoop(checker: Checker, { pool, log, clock }: CheckerDeps): CheckLoop {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> = Promise.resolve();

  async function turn(): Promise<number> {
    await checker.keep();
    await checker.claim();
    if (checker.inFlight() > 0) return beatMs;
    const due = await nextDue(pool);
    return due === null ? restMs : Math.min(Math.max(due - clock(), beatMs), restMs);
  }

  async function recover(error: unknown): Promise<number> {
    log.error({ err: error }, 'uptime checks could not be claimed or kept');
    if (isMissingPartition(error)) await tendPartitions(pool, clock()).catch(() => undefined);
    return restMs;
  }

  function next(afterMs: number): void {
    if (closed) return;
    timer = setTimeout(() => {
      turning = turn().catch(recover).then(next);
    }, afterMs);
    timer.unref();
  }

  next(0);
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await turning;
      await checker.stop();
    },
  };
}
