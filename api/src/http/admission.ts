import { setTimeout as pause } from 'node:timers/promises';
import { requestPace } from '@homeport/contract/limits';
import { ProblemError } from './problem.ts';
import { nextTurn } from './turns.ts';

/** Lets what one caller asks for through, in a bounded number a second. A caller is a person, or an address. */
export type Admission = {
  /**
   * Resolves when the request, or the subscription, may cost something.
   *
   * @throws ProblemError `too_many` where it would wait for longer than `waitMs`.
   */
  admit(caller: string): Promise<void>;
};

export type Pace = {
  /** Requests that are let through in the same moment; those after them follow at `burstPerSecond`. */
  atOnce: number;
  burstPerSecond: number;
  /** Requests that are let through at that pace; those after them follow at `perSecond`. */
  burst: number;
  perSecond: number;
  /** What would wait for longer is refused. */
  waitMs: number;
};

/** Callers whose allowance is whole again are forgotten whenever there are so many more. */
const sweepEvery = 1_000;

/**
 * One person's requests cost the others processor time and the store's, whatever they ask for and however they are answered.
 * So a burst passes at once, as a page with all its tabs makes one, and what comes after it waits here: before the session is
 * read, before the body is, and before a query.
 */
export function createAdmission(
  { atOnce, burstPerSecond, burst, perSecond, waitMs }: Pace = requestPace,
  now: () => number = () => performance.now(),
): Admission {
  const [shortMs, longMs] = [1_000 / burstPerSecond, 1_000 / perSecond];
  /** When each of the caller's two allowances will be whole again; the long one later than the short one. */
  const whole = new Map<string, { short: number; long: number }>();
  let sweepAt = sweepEvery;
  const sweep = (at: number) => {
    for (const [caller, { long }] of whole) if (long <= at) whole.delete(caller);
    sweepAt = whole.size + sweepEvery;
  };
  return {
    async admit(caller) {
      const at = now();
      if (whole.size >= sweepAt) sweep(at);
      const before = whole.get(caller);
      const short = Math.max(at, before?.short ?? 0) + shortMs;
      const long = Math.max(at, before?.long ?? 0) + longMs;
      const wait = Math.max(short - at - atOnce * shortMs, long - at - burst * longMs);
      if (wait > waitMs)
        throw new ProblemError('too_many', 'That was a lot at once.', {
          retryAfterSeconds: Math.ceil((wait - waitMs) / 1_000),
        });
      whole.set(caller, { short, long });
      if (wait > 0) await pause(wait);
      await nextTurn(caller);
    },
  };
}
