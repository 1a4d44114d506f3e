const minuteMs = 60_000;

/** What programs did with API tokens, as their person reads it. */
export const programCallLimits = {
  /** A line goes after so many days. */
  days: 30,
  /** The same call of a token in this time, about the same record, with the same outcome and from the same address, is one line with a count. */
  foldedMs: 60 * minuteMs,
  /** Lines of one token. Beyond, its oldest go. */
  ofToken: 500,
  /** Lines of all tokens of one account, revoked ones included. Beyond, the oldest of the tokens with the most lines go. */
  ofAccount: 5_000,
  /** Tokens that are gone, in the list of them. */
  former: 100,
  /** Lines of one account that wait in a process. Beyond, a call is not noted. */
  waiting: 1_000,
  /** Longer addresses are cut: a proxy in front may hand on anything. */
  addressCharacters: 64,
} as const;

export const callOutcomes = ['ok', 'refused', 'failed'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** What a call can be about, by the word of its records in routes. */
export const callSubjects = {
  servers: 'server',
  apps: 'app',
  databases: 'database',
  proxies: 'proxy',
  zones: 'domain',
  keys: 'key',
  operations: 'operation',
} as const;
export type CallSubjectKind = (typeof callSubjects)[keyof typeof callSubjects];
export const callSubjectKinds: readonly CallSubjectKind[] = Object.values(callSubjects);
