/** What a server's agent posts and what the monitor answers. Bytes, epoch milliseconds; other units stand in the name. */
export const reportLimits = {
  /** As sent, compressed or not. */
  bodyBytes: 1_048_576,
  /** After decompression. */
  inflatedBytes: 4_194_304,
  reportsPerPost: 50,
  /** As long as raw reports are kept; older ones are refused and counted. */
  oldestMs: 48 * 3_600_000,
  /** A clock that is further off than this is corrected by the time of receipt. */
  clockOffMs: 30_000,
} as const;
