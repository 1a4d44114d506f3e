/** A server whose apps go down and up again and again has the others checked so often at most, in each direction. */
const everyMs = 60_000;

/**
 * When the other apps of a server were last checked out of their turn, because one went down, or because one came up. Each process
 * remembers its own; of a server only the last minute.
 */
export function createPulls() {
  const last = { up: new Map<string, number>(), down: new Map<string, number>() };
  return {
    /** Says of each server whether its apps may be checked out of their turn now, all or none of them. */
    at(now: number, to: 'up' | 'down'): (server: string) => boolean {
      const times = last[to];
      for (const [server, at] of times) if (now - at >= everyMs) times.delete(server);
      return (server) => {
        const at = times.get(server);
        if (at === undefined) times.set(server, now);
        return at === undefined || at === now;
      };
    },
  };
}
