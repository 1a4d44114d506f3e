export const requestsAMinute = 1_200;
const addressesInMemory = 10_000;
const minuteMs = 60_000;

/** Allows as many requests of one address in a minute as the api does. Pages ask for stats far less often. */
export function createRequestLimit(clock: () => number) {
  const seen = new Map<string, { count: number; until: number }>();
  return {
    /** Counts a request of this address. Returns the seconds to wait, or 0 when the request may be answered. */
    waitSeconds(address: string): number {
      const now = clock();
      const current = seen.get(address);
      if (current && current.until > now) {
        current.count += 1;
        return current.count > requestsAMinute ? Math.ceil((current.until - now) / 1_000) : 0;
      }
      seen.delete(address);
      // Only the oldest count goes, because an attacker with many addresses must not clear all counts.
      if (seen.size >= addressesInMemory) for (const oldest of seen.keys()) if (seen.delete(oldest)) break;
      seen.set(address, { count: 1, until: now + minuteMs });
      return 0;
    },
  };
}
