/**
 * `simple`: the target gets the path as the visitor sent it. `subdirectory`: another whole site is mounted at the path, which the
 * target does not see.
 */
export const ruleTypes = ['simple', 'subdirectory'] as const;
export type RuleType = (typeof ruleTypes)[number];

/** Rules of one proxy. Each request is compared with them in their order. */
export const rulesPerProxy = 500;
/** URLs of one proxy that are saved with their answers. */
export const testsPerProxy = 100;

/** The longest URL that the proxy service takes from a visitor. */
export const visitedUrlCharacters = 8_192;
/** The bounds of a rule's texts. */
export const rulePathCharacters = 1_024;
export const targetCharacters = 2_048;
export const rewriteSourceCharacters = 256;
export const rewriteDestinationCharacters = 1_024;
export const forwardedHostCharacters = 259;
/** HTML that a rule puts into its pages, in bytes of UTF-8. */
export const injectionBytes = 65_536;
/** A request with one rule. JSON writes some characters of the HTML as several. */
export const ruleRequestBytes = 4 * injectionBytes;
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

/** The rule that takes what no other rule takes: the primary website. */
export const sourceRule = 'source';
