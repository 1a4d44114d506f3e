import { isMissingPartition, nextDue, tendPartitions, untilNextTurn } from '@homeport/store';
import type { Checker, CheckerDeps } from './checker.ts';

export type CheckLoop = { close(): Promise<void> };

const busyBeatMs = 1_000;

/**
 * Has the checker claim due checks and store results, once a second while there is work. When nothing is due soon, the loop looks
 * again at its next regular turn, so a new check may begin five seconds late.
 */
export function startCheckLoop(checker: Checker, { pool, log, clock }: CheckerDeps): CheckLoop {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> = Promise.resolve();

  async function turn(): Promise<number> {
    await checker.keep();
    await checker.claim();
    if (checker.inFlight() > 0) return busyBeatMs;
    const due = await nextDue(pool);
    const now = clock();
    const atRest = untilNextTurn('checks', now);
    return due === null ? atRest : Math.min(Math.max(due - now, busyBeatMs), atRest);
  }

  async function recover(error: unknown): Promise<number> {
    log.error({ err: error }, 'uptime checks could not be claimed or stored');
    if (isMissingPartition(error)) await tendPartitions(pool, clock()).catch(() => undefined);
    return untilNextTurn('checks', clock());
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
