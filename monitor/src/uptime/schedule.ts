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

/** Checks that begin together. */
export type Group<Check> = { beginAt: number; checks: Check[] };

/** One check by itself costs half as much again as one right after another: memory and processor have to be warmed up anew. */
const gridMs = 500;
/** More would wait for each other, and their phases would tell of this process instead of their apps. */
const groupSize = 8;
/** What is late, because the console was away, is not begun all at once either. */
const gapMs = 40;

/** How many checks can begin within this time. */
export function capacityWithin(ms: number): number {
  return Math.floor(ms / gapMs) * groupSize;
}

/** When each of these is begun: never before it is due, and half a second after at most where there are not too many. */
export function inGroups<Check extends { dueAt: number }>(
  checks: readonly Check[],
  now: number,
): Group<Check>[] {
  const groups: Group<Check>[] = [];
  let free = now;
  let last: Group<Check> | undefined;
  for (const check of checks.toSorted((one, other) => one.dueAt - other.dueAt)) {
    const earliest = Math.ceil(check.dueAt / gridMs) * gridMs;
    if (!last || last.beginAt < earliest || last.checks.length === groupSize) {
      last = { beginAt: Math.max(earliest, free), checks: [] };
      groups.push(last);
      free = last.beginAt + gapMs;
    }
    last.checks.push(check);
  }
  return groups;
}
