/** The longest time that is looked back over. A page whose first reading began earlier reads everything again. */
export const lookBackMs = 60_000;
/** A change is heard this much after its commit at most; one that comes later makes a page read once too often, never too seldom. */
const heardWithinMs = 1_000;

export type RecentChanges = {
  changed(owner: string): void;
  /** A report of any server arrived. */
  reported(): void;
  /** Messages may have been lost until now. */
  interrupted(): void;
  /** What a reading of the owner's records that began this many milliseconds ago may have missed. */
  missedSince(owner: string, agoMs: number): 'everything' | 'stats' | 'nothing';
};

/**
 * When the records of each owner changed last, over the last minute: a page that subscribes after its first reading need not read
 * everything again to be sure that it missed nothing.
 *
 * @param now milliseconds of a clock that never goes back.
 */
export function createRecentChanges(now = () => performance.now()): RecentChanges {
  // In the order of the changes, so that the oldest stand in front.
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
