/** How often the monitor's background work looks whether there is anything to do. */
export const beatMs = 5_000;

/**
 * When in a beat each work looks. A console at rest then needs one connection to PostgreSQL at a time. A second one would hold
 * 10 MiB, because the pool keeps a connection for half a minute after its last use.
 */
export const phaseMs = { checks: 0, notices: beatMs / 2 } as const;

/** Milliseconds until this work's next look: more than 0, at most a beat. `now` is in epoch milliseconds. */
export function untilNextLook(work: keyof typeof phaseMs, now: number): number {
  return beatMs - ((((now - phaseMs[work]) % beatMs) + beatMs) % beatMs);
}
