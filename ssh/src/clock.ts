/** Time as the room needs it, so that a test can let an hour pass. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `then` once after `ms`; the returned function calls it off. */
  after(ms: number, then: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    // A waiting connection must never keep the process alive by its timer alone.
    const timer = setTimeout(then, ms).unref();
    return () => clearTimeout(timer);
  },
};
