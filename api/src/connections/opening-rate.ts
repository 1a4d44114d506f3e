import { openingsPerMinute } from '@homeport/contract/limits';

const windowMs = 60_000;

/** Counts openings per person, or per token of a terminal, and server over the last minute; `clock` gives epoch milliseconds. */
export function createOpeningRate(clock: () => number) {
  const opened = new Map<string, number[]>();
  return {
    /** Counts one opening. Returns false if it exceeds the rate. */
    admit(caller: string, serverId: string): boolean {
      const now = clock();
      for (const [key, times] of opened) {
        const recent = times.filter((time) => time > now - windowMs);
        if (recent.length > 0) opened.set(key, recent);
        else opened.delete(key);
      }
      const key = JSON.stringify([caller, serverId]);
      const times = opened.get(key) ?? [];
      if (times.length >= openingsPerMinute) return false;
      opened.set(key, [...times, now]);
      return true;
    },
  };
}
