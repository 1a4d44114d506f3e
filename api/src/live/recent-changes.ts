/** How far back changes are remembered. A page whose first read began earlier reads everything again. */
export const lookBackMs = 60_000;
/**
 * The longest expected time between a commit and its notification. With this margin a page may read once too
 * often, but never misses a change.
 */
const heardWithinMs = 1_000;

export type RecentChanges = {
  changed(owner: string): void;
  /** A report of any server arrived. */
  reported(): void;
  /** Notifications may have been lost until now. */
  interrupted(): void;
  /** What a read of the owner's records may have missed if it began this many milliseconds ago. */
  missedSince(owner: string, agoMs: number): 'everything' | 'stats' | 'nothing';
};

/**
 * When each owner's records changed last, over the last minute. So a page that subscribes after its first
 * read need not read everything again to be sure that it missed no change.
 *
 * @param now milliseconds of a clock that never goes back.
 */
export function createRecentChanges(now = () => performance.now()): RecentChanges {
  // In the order of the changes, the oldest first.
  const changedAt = new Map<string, number>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let completeSince = now();

  return {
    changed(owner) {
      const at = now();
      changedAt.delete(owner);
      changedAt.set(owner, at);
      for (const [each, changed] of changedAt) {
        if (at - changed <= lookBackMs + heardWithinMs) break;
        changedAt.delete(each);
      }
    },
    reported() {
      reportedAt = now();
    },
    interrupted() {
      completeSince = now();
    },
    missedSince(owner, agoMs) {
      const since = now() - agoMs - heardWithinMs;
      if (agoMs > lookBackMs || since < completeSince) return 'everything';
      if ((changedAt.get(owner) ?? Number.NEGATIVE_INFINITY) >= since) return 'everything';
      return reportedAt >= since ? 'stats' : 'nothing';
    },
  };
}
