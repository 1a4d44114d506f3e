import { setTimeout as pause } from 'node:timers/promises';
import { requestPace } from '@homeport/contract/limits';
import { ProblemError } from './problem.ts';
import { nextTurn } from './turns.ts';

/** Bounds how many requests of one caller go through in a second. A caller is a person or an address. */
export type Admission = {
  /**
   * Resolves when the request, or the subscription, may be processed.
   *
   * @throws ProblemError `too_many` if it would wait for longer than `waitMs`.
   */
  admit(caller: string): Promise<void>;
};

export type Pace = {
  /** Requests that pass in the same moment. Later ones follow at `burstPerSecond`. */
  atOnce: number;
  burstPerSecond: number;
  /** Requests that pass at that pace. Later ones follow at `perSecond`. */
  burst: number;
  perSecond: number;
  /** A request that would wait for longer is refused. */
  waitMs: number;
};

/** Callers whose allowance is whole again are forgotten each time the map has grown by this many callers. */
const sweepEvery = 1_000;

/**
 * Everybody shares the processor and the store, and each request costs both, whatever its answer. A burst
 * passes at once, because a page with all its tabs makes one. Later requests wait here: before the session is
 * read, before the body is read, and before any query.
 */
export function createAdmission(
  { atOnce, burstPerSecond, burst, perSecond, waitMs }: Pace = requestPace,
  now: () => number = () => performance.now(),
): Admission {
  const [shortMs, longMs] = [1_000 / burstPerSecond, 1_000 / perSecond];
  /**
   * When each of the caller's two allowances is whole again. The long one is whole later than the short one.
   */
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
        throw new ProblemError(
          'too_many',
          'Too many requests arrived at once. This request was refused, and nothing was changed.',
          {
            retryAfterSeconds: Math.ceil((wait - waitMs) / 1_000),
          },
        );
      whole.set(caller, { short, long });
      if (wait > 0) await pause(wait);
      await nextTurn(caller);
    },
  };
}
