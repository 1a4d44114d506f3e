/**
 * When a check is due next: its own place in the interval, which its id gives it, so that checks are spread evenly however
 * they were set up. At least half an interval after `from`, so that one that was just made is not made again at once.
 */
export function nextDueAt(id: number, everyMs: number, from: number): number {
  // Fibonacci hashing: neighbouring ids land far from each other.
  const place = Math.floor(((Math.imul(id, 2_654_435_769) >>> 0) / 2 ** 32) * everyMs);
  const earliest = from + Math.floor(everyMs / 2);
  const since = (earliest - place) % everyMs;
  return earliest + (since === 0 ? 0 : everyMs - since);
}
