/** What coding agents may have of `POST /mcp`. */
export const mcpLimits = {
  /** One request: a call with its arguments. */
  requestBytes: 64 * 1024,
  /** One answer of a tool. Models read each character of it. */
  answerCharacters: 24_000,
  /** One line of a text that servers or strangers wrote, as it is written: a hidden character takes six. */
  lineCharacters: 2_400,
  /** Records in one answer. */
  page: 50,
  /** How long `wait_for` waits at most. Clients of the protocol give up after 60 seconds. */
  waitSeconds: 45,
  /** Requests of one account that are answered at the same time, waiting ones included. */
  atOnce: 16,
} as const;

/**
 * How fast the calls of one person's tokens go through. Each reads up to six routes, which count for the person and for the address as
 * well: in a minute fewer than either may have, so that an agent never locks its person's pages out.
 */
export const mcpPace = { atOnce: 10, burst: 60, burstPerSecond: 20, perSecond: 2, waitMs: 5_000 } as const;

/** The address below the console's own. */
export const mcpPath = '/mcp';
