import { setTimeout as pause } from 'node:timers/promises';
import { proxyPace } from '@homeport/contract/proxies/facts';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';

export type ProxyPace = {
  /**
   * Resolves when the console may read so many bytes of this person's proxies.
   *
   * @throws ProblemError `too_many` if that would take longer than `waitMs`.
   */
  admit(owner: Owner, bytes: number): Promise<void>;
  /** Counts what is written of a proxy whose reading was admitted. What comes later waits for it: who was let in may end the work. */
  count(owner: Owner, bytes: number): void;
};

/** People whose allowance is whole again are forgotten each time the map has grown by this many. */
const sweepEvery = 1_000;

/**
 * Bounds how many bytes of rules and saved URLs go through the console for one account. A request of forty bytes can have it read a
 * proxy of 1 MiB, try its rules, write it and tell every data plane, so requests alone say nothing about their cost.
 */
export function createProxyPace(
  { atOnceBytes, bytesPerSecond, waitMs }: Record<keyof typeof proxyPace, number> = proxyPace,
  now: () => number = () => performance.now(),
): ProxyPace {
  const msOf = (bytes: number) => (bytes / bytesPerSecond) * 1_000;
  const atOnceMs = msOf(atOnceBytes);
  /** When each person's allowance is whole again. */
  const whole = new Map<Owner, number>();
  let sweepAt = sweepEvery;
  return {
    async admit(owner, bytes) {
      const at = now();
      if (whole.size >= sweepAt) {
        for (const [each, until] of whole) if (until <= at) whole.delete(each);
        sweepAt = whole.size + sweepEvery;
      }
      const owed = Math.max(at, whole.get(owner) ?? 0);
      // Its own bytes do not count here: whoever owes nothing reads a proxy of any size.
      const wait = owed - at - atOnceMs;
      if (wait > waitMs)
        throw new ProblemError(
          'too_many',
          'The console read and changed many large proxies for you just now. This request was refused, and nothing was changed.',
          { retryAfterSeconds: Math.ceil((wait - waitMs) / 1_000) },
        );
      whole.set(owner, owed + msOf(bytes));
      if (wait > 0) await pause(wait);
    },
    count(owner, bytes) {
      whole.set(owner, Math.max(now(), whole.get(owner) ?? 0) + msOf(bytes));
    },
  };
}
