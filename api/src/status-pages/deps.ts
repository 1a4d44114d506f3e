import type { Store } from '@homeport/store';

export type StatusPageDeps = {
  store: Store;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Whether this console serves status pages. */
  served: boolean;
  /** The origin at which people sign in. What they write leads nobody there. */
  publicUrl: string;
};
