import { staleAfterMs } from '../limits.ts';

/** An app counts as running while its stats are fresh, unless it was stopped. `updated`: when it was last measured. */
export function isAppRunning(updated: number | null, stopped: boolean, now: number): boolean {
  return !stopped && updated !== null && now - updated < staleAfterMs;
}
