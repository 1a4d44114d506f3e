/** In milliseconds. */
export const renderTimes = {
  /** At least so long after a page is claimed for its next turn, however often it changes. */
  gap: 10_000,
  /** A render that failed is tried again after this. */
  again: 30_000,
  /** A page that did not change is written again after this, for its time alone. */
  writtenEvery: 10 * 60_000,
  /** A page that nobody rendered for so long says that nothing is known. */
  stale: 15 * 60_000,
} as const;
