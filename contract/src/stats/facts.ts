/** The limits of the reports that a server’s agent posts. Bytes and milliseconds. */
export const reportLimits = {
  /** The body as sent, compressed or not. */
  bodyBytes: 1_048_576,
  /**
   * The body after decompression. Reading 1 MiB holds the event loop for under 10 ms; 4 MiB held it for 20 to 45 ms. The agent
   * halves a batch that is too large, and one report with 500 apps has 90 kB.
   */
  inflatedBytes: 1_048_576,
  reportsPerPost: 50,
  /** Raw reports are kept for this long. Older reports are refused and counted. */
  oldestMs: 48 * 3_600_000,
  /** The time of receipt corrects a clock that is further off than this. */
  clockOffMs: 30_000,
} as const;
