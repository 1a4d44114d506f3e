/**
 * When a check is due next. Its id gives it a place of its own in the interval, so that checks are spread evenly. The time is at
 * least half an interval after `from`, so that a check that was just made is not made again at once.
 */
export function nextDueAt(id: number, everyMs: number, from: number): number {
  const earliest = from + Math.floor(everyMs / 2);
  const since = (earliest - placeOf(id, everyMs)) % everyMs;
  return earliest + (since === 0 ? 0 : everyMs - since);
}

/** Whether a check waits for its own place in the interval: one that is claimed, or due sooner, has another time. */
export function isAtItsPlace({
  id,
  everyMs,
  dueAt,
}: {
  id: number;
  everyMs: number;
  dueAt: number;
}): boolean {
  return (dueAt - placeOf(id, everyMs)) % everyMs === 0;
}

/** Fibonacci hashing puts neighbouring ids far from each other. */
const placeOf = (id: number, everyMs: number) =>
  Math.floor(((Math.imul(id, 2_654_435_769) >>> 0) / 2 ** 32) * everyMs);

/** Checks that begin together. */
export type Group<Check> = { beginAt: number; checks: Check[] };

/** A single check costs half as much again as one right after another, because caches are cold. So checks begin on a grid. */
const gridMs = 500;
/** More checks would wait for each other, and their phases would measure this process instead of the apps. */
const groupSize = 8;
/** Spreads late checks too, when the console was off. */
const gapMs = 40;

/** How many checks can begin within this time. */
export function capacityWithin(ms: number): number {
  return Math.floor(ms / gapMs) * groupSize;
}

/** When each check begins: never before it is due, and at most half a second later unless there are too many. */
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
