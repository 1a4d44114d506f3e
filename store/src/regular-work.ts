/**
 * The work that a console does regularly, and when. Works with the same interval begin at different moments, so a console at rest
 * needs one connection to PostgreSQL at a time. A second one would hold 10 MiB, because the pool keeps a connection for half a
 * minute after its last use.
 */
export const regularWork = {
  /** Looks for uptime checks that are due, while no check runs. */
  checks: { everyMs: 5_000, offsetMs: 0 },
  /** Sends messages about notices. */
  messages: { everyMs: 5_000, offsetMs: 1_250 },
  /** Raises notices about servers and apps. */
  notices: { everyMs: 5_000, offsetMs: 2_500 },
  /** Mails security events. */
  securityMails: { everyMs: 5_000, offsetMs: 3_125 },
  /** Reports that this process lives, and ends the operations of processes that vanished. */
  replicas: { everyMs: 10_000, offsetMs: 3_750 },
  /** Looks whether the domains of proxies point here and are proven. */
  domains: { everyMs: 5_000, offsetMs: 4_375 },
  /** Renders the status pages that are due. */
  statusPages: { everyMs: 10_000, offsetMs: 5_625 },
  /** Makes the backups of the console that are due. */
  consoleBackups: { everyMs: 60_000, offsetMs: 30_625 },
  /** Looks whether a newer program has changed the tables. */
  schema: { everyMs: 30_000, offsetMs: 10_625 },
  /** Ends expired sessions. */
  sessions: { everyMs: 60_000, offsetMs: 625 },
  /** Removes expired counts and tokens. */
  stale: { everyMs: 600_000, offsetMs: 1_875 },
  /** Asks Cloudflare again for the zones that prove domains. */
  zones: { everyMs: 600_000, offsetMs: 301_875 },
} as const;

export type RegularWork = keyof typeof regularWork;

/** Milliseconds until the next turn of this work: more than 0, at most its interval. `now` is in epoch milliseconds. */
export function untilNextTurn(work: RegularWork, now: number): number {
  const { everyMs, offsetMs } = regularWork[work];
  return everyMs - ((((now - offsetMs) % everyMs) + everyMs) % everyMs);
}

/**
 * Does this work at each of its turns until `stop`, which waits for the turn under way. A turn that lasts longer than the interval
 * delays the next one. `failed` gets the error of a turn that failed.
 */
export function repeatWork(
  work: RegularWork,
  turn: () => Promise<void>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();

  function next(): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        working = turn().catch(failed).then(next);
      },
      untilNextTurn(work, Date.now()),
    );
    timer.unref();
  }

  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
