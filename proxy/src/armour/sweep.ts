/** Something that is under way and may stall. */
export type Watched = {
  /** Called with the time now, in milliseconds of the monotonic clock, and ends what has stalled. */
  look(now: number): void;
};

export type Sweep = {
  add(watched: Watched): void;
  delete(watched: Watched): void;
  readonly size: number;
  stop(): void;
};

/** One timer for all requests: a timer for each would cost more than the request's other bookkeeping. */
export function createSweep(everyMs: number): Sweep {
  const watched = new Set<Watched>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of watched) one.look(now);
  }, everyMs);
  timer.unref();
  return {
    add: (one) => watched.add(one),
    delete: (one) => watched.delete(one),
    get size() {
      return watched.size;
    },
    stop: () => clearInterval(timer),
  };
}
