import { latestPurge, type Purge, purgesAtOnce, readPurges, type Store } from '@homeport/store';

/** The clock of whoever purged may differ so much from this plane's. */
const clockDifferenceMs = 600_000;

export type PurgesFollower = {
  begin(store: Store): Promise<void>;
  /** Reads the purges that came since, and does each once. */
  read(store: Store): Promise<void>;
};

/** @param startedAt when the cache was empty: what was purged before has no meaning for it */
export function followPurges(startedAt: number, purge: (purge: Purge) => void): PurgesFollower {
  let seen = 0;
  return {
    async begin(store) {
      seen = Math.max(seen, await latestPurge(store.pool, startedAt - clockDifferenceMs));
    },
    async read(store) {
      for (let more = true; more; ) {
        const read = await readPurges(store.pool, seen);
        for (const one of read) {
          purge(one);
          seen = one.version;
        }
        more = read.length === purgesAtOnce;
      }
    },
  };
}
