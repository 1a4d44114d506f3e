/** How apps are checked from outside. Times are in milliseconds. */
export const uptimeRules = {
  everyMs: 60_000,
  /** For one attempt as a whole: name, connection, every redirect, headers and body. */
  deadlineMs: 10_000,
  /**
   * A failed check is tried again at once on a new connection, and once more after this time. Then the
   * failure counts.
   */
  confirmAfterMs: 20_000,
  /** How many checks in a row must say the opposite before an app is down, or up again. */
  confirmations: 2,
  redirects: 5,
  bodyBytes: 1_048_576,
} as const;

/** Days before the end of a certificate at which the console warns; 0 is the end itself. */
export const certificateMarks = [21, 14, 7, 3, 1, 0] as const;

/** The last mark that a certificate has passed; null before the first mark. */
export function certificateMark(validTo: number, now: number): number | null {
  const days = (validTo - now) / 86_400_000;
  return certificateMarks.findLast((mark) => days <= mark) ?? null;
}

/** In the order in which they happen. `total` covers all phases and the time between them. */
export const uptimePhases = [
  'dnsLookup',
  'tcpConnection',
  'tlsHandshake',
  'firstByte',
  'contentTransfer',
  'total',
] as const;
export type UptimePhase = (typeof uptimePhases)[number];

/**
 * `paused`: the app is stopped, or the domain is no longer the app’s. `pending`: not checked yet, or failing
 * and not yet confirmed. `unknown`: the console could not find out, because its own network is down or it
 * does not check the address.
 */
export const uptimeStates = ['up', 'pending', 'down', 'paused', 'unknown'] as const;
export type UptimeState = (typeof uptimeStates)[number];

export const uptimeCauses = [
  'dns',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'tls',
  'timeout_headers',
  'timeout_body',
  'bad_answer',
  'status',
  'redirect_loop',
  /**
   * The console does not check this address: it is private, or its port or the address itself is excluded.
   */
  'blocked_address',
  /** The console’s own network was down, or the console was too busy. */
  'checker',
] as const;
export type UptimeCause = (typeof uptimeCauses)[number];

/** The periods that bars show: 24 hours, 28 quarters of a day, 30 and 90 days. */
export const uptimePeriods = ['24h', '7d', '30d', '90d'] as const;
export type UptimePeriod = (typeof uptimePeriods)[number];
