/** Makes addresses wait that try many unknown tokens. A post with a token in memory is never counted. */
export function createUnknownTokens(clock: () => number) {
  const tries = new Map<string, { count: number; until: number }>();
  return {
    /** Seconds to wait; 0 when this address may try. */
    waitSeconds(address: string): number {
      const seen = tries.get(address);
      if (!seen || seen.until <= clock()) return 0;
      return seen.count < triesAMinute ? 0 : Math.ceil((seen.until - clock()) / 1000);
    },
    note(address: string): void {
      const seen = tries.get(address);
      if (seen && seen.until > clock()) {
        seen.count += 1;
        return;
      }
      if (tries.size >= addressesInMemory) tries.clear();
      tries.set(address, { count: 1, until: clock() + 60_000 });
    },
  };
}

export const triesAMinute = 20;
const addressesInMemory = 10_000;
