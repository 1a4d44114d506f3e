/** The time functions that this room uses. A test can pass a clock of its own and let an hour pass. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `then` once after `ms`. The returned function cancels the call. */
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
