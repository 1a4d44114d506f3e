/** Something that is under way and may stall. */
export type Watched = {
  /** Called with the time now, in milliseconds of the monotonic clock, and ends what has stalled. */
  look(now: number): void;
  /** Where the sweep keeps it; -1 for nowhere. Only the sweep writes it. */
  sweepPlace: number;
};

export type Sweep = {
  add(watched: Watched): void;
  delete(watched: Watched): void;
  readonly size: number;
  stop(): void;
};

/**
 * One timer for all requests: a timer for each would cost more than the request's other bookkeeping. A list, and no Set: V8 makes a new
 * table for a Set after so many deletions, and the old table keeps all requests of its time until the next full collection.
 *
 * @param failed hears once of each that throws at a look. All others are looked at all the same.
 */
export function createReaper(everyMs: number, failed: (error: unknown) => void): Sweep {
  const watched: Watched[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of [...watched]) if (one.sweepPlace >= 0) look(one, now);
  }, everyMs);
  timer.unref();
  const told = new WeakSet<Watched>();
  const look = (one: Watched, now: number) => {
    try {
      one.look(now);
    } catch (error) {
      if (!told.has(one)) failed(error);
      told.add(one);
    }
  };
  return {
    add(one) {
      if (one.sweepPlace >= 0) return;
      one.sweepPlace = watched.length;
      watched.push(one);
    },
    delete(one) {
      const place = one.sweepPlace;
      if (place < 0) return;
      const last = watched.pop();
      if (last !== undefined && last !== one) {
        watched[place] = last;
        last.sweepPlace = place;
      }
      one.sweepPlace = -1;
    },
    get size() {
      return watched.length;
    },
    stop: () => clearInterval(timer),
  };
}
