/** How a rule treats the path. `simple` keeps it; `subdirectory` takes the rule's path away and gives it back in answers. */
export const ruleTypes = ['simple', 'subdirectory'] as const;
export type RuleType = (typeof ruleTypes)[number];

/** Bounds of what a person may type into a proxy and its rules. Lengths are in characters. */
export const proxyLimits = {
  nameLength: 100,
  pathLength: 1_024,
  targetLength: 2_040,
  rewriteLength: 256,
  /** Of the program that a pattern compiles to: ten letters can make a thousand instructions. */
  patternInstructions: 256,
  /** Of all patterns of one proxy together. */
  patternInstructionsOfProxy: 4_096,
  /** Instructions times characters of the path. So many take some 10 ms; a longer path is refused. */
  patternSteps: 65_536,
  /** Of the rules of one proxy, as the store keeps them, snippets included. */
  bytes: 1024 * 1024,
  /** Of the rules of all proxies of one account. */
  bytesOfAccount: 16 * 1024 * 1024,
  injectionBytes: 64 * 1024,
  rules: 1_000,
  /** Above this number the linear search through the rules begins to cost, and the page warns. */
  rulesBeforeWarning: 200,
  savedUrls: 100,
  /** Of all saved URLs of a proxy, with what its websites get asked for: a rewrite may make much out of little. */
  savedUrlBytes: 256 * 1024,
  urlBytes: 8_192,
  /** Of one proxy. Each looks at all that is kept of the domain, in every data plane. */
  purgesPerMinute: 6,
} as const;

/**
 * How many bytes of rules and saved URLs the console reads and writes for one account: so many at once, later ones at `bytesPerSecond`.
 * What would wait longer than `waitMs` is refused.
 */
export const proxyPace = {
  atOnceBytes: 16 * 1024 * 1024,
  bytesPerSecond: 2 * 1024 * 1024,
  waitMs: 5_000,
} as const;

/** How long a deleted proxy's domain is kept from other accounts that do not prove that they own it. */
export const deletedNameLockedMs = 30 * 86_400_000;

/** A domain is served so long although its checks fail: a registrar's or a resolver's bad day takes no website down. */
export const servedThoughFailingMs = 72 * 3_600_000;

/**
 * A zone at Cloudflare proves its domains for so long after it was last read: a domain can be sold, and a credential revoked. The
 * console reads the zones again by itself, several times within this time.
 */
export const zoneProvesMs = 72 * 3_600_000;
/** Zones that were read before this time are read again in the background. */
export const zoneReadAgainMs = 12 * 3_600_000;
/** After a failed reading the console asks again this much later. */
export const zoneAskedAgainMs = 3_600_000;

/**
 * When a person is warned about a served domain: so many checks in a row failed, for so long. One failed check may be the resolver's
 * fault.
 */
export const domainWarning = { failures: 3, afterMs: 3_600_000 } as const;

/**
 * When the website of a rule counts as failing: in the window of the last minutes at least `requests` came, and `failingShare` of them
 * were answered with 5xx. It works again below `easedShare`, or is forgotten when nobody asked for `forgottenMs`.
 */
export const websiteWarning = {
  windowMs: 5 * 60_000,
  requests: 5,
  failingShare: 0.5,
  easedShare: 0.2,
  forgottenMs: 24 * 3_600_000,
} as const;

/** The longest value of X-Forwarded-Host: a name and a port. */
export const forwardedHostCharacters = 259;
/** A request with one rule. JSON writes some characters of the HTML as several. */
export const ruleRequestBytes = 4 * proxyLimits.injectionBytes;
/** The labels before a chosen domain: `www`, `shop.eu`. */
export const subdomainCharacters = 190;

/**
 * `serving`: visitors get answers. `waiting`: the domain's DNS does not lead to the proxy service. `not_owned`: DNS leads here,
 * and nothing proves that the domain is this person's. `failing`: the domain is served, and something behind it fails.
 */
export const proxyStates = ['serving', 'waiting', 'not_owned', 'failing'] as const;
export type ProxyState = (typeof proxyStates)[number];

/** What to type to delete a proxy. */
export const proxyDeletion = { word: 'delete' } as const;

/** What can lead out of the path of a subdirectory rule. */
export const leavingKinds = [
  'link',
  'asset',
  'form',
  'redirect',
  'cookie',
  'worker',
  'style',
  'script',
] as const;
export type LeavingKind = (typeof leavingKinds)[number];

/** The bounds of an examination of a mounted site. */
export const examination = { pages: 21, files: 20, leaving: 200 } as const;

/**
 * Patterns, rules and pages of people are read by threads beside the console. `waiting` is of one person, who has one thread at a time.
 */
export const ruleWorkLimits = {
  threads: 2,
  ms: 5_000,
  heapBytes: 64 * 1024 * 1024,
  waiting: 32,
  /** A thread that had nothing to do for so long ends. */
  idleMs: 5_000,
  /** At once, for one person. Each asks for up to 41 pages and files. */
  examinations: 1,
  dryRuns: 4,
};
export type RuleWorkLimits = typeof ruleWorkLimits;
