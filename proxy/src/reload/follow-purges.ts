import { latestPurge, type Purge, readPurges, type Store } from '@homeport/store';

export type PurgesFollower = {
  /** What was purged before has no meaning for a cache that is empty. */
  begin(store: Store): Promise<void>;
  /** Reads the purges that came since, and does each once. */
  read(store: Store): Promise<void>;
};

export function followPurges(purge: (purge: Purge) => void): PurgesFollower {
  let seen = 0;
  return {
    async begin(store) {
      seen = await latestPurge(store.pool);
    },
    async read(store) {
      for (const one of await readPurges(store.pool, seen)) {
        purge(one);
        seen = one.version;
      }
    },
  };
}
