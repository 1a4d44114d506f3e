export const defaultSshPort = 22;
export const subdomainCharacters = 40;

/** Subdomains that servers of one account gave up. They stay reserved for it. */
export const formerSubdomains = 5;

/** The word that confirms the removal of Homeport’s plugin: the backups that it makes on schedule end with it. */
export const pluginRemoval = { word: 'end backups' } as const;

/**
 * What is known of a database’s scheduled backups when its server is removed. `unknown`: the console could not
 * read how its last change of the schedule ended.
 */
export const scheduleStandings = ['runs', 'paused', 'unknown'] as const;

/** How many global domains of a server its record names. Dokku takes any number. */
export const globalDomainsNamed = 5;

/**
 * How many names of servers the console looks up in DNS at the same time: for one account, for all of them, and for one request. Others
 * wait, `waiting` of an account, each for `waitMs`. What waits longer, or is not begun `waitMs` after its request, is not known then.
 */
export const nameLookups = { perPerson: 8, atOnce: 64, together: 4, waiting: 64, waitMs: 5_000 } as const;

/** The progress of a server’s installation when a step begins, in percent, as the specification gives it. */
export const installPercents = {
  verify: 10,
  agent: 14,
  dokku: 28,
  /** Replaces `dokku` and `plugins` on a server without Dokku. */
  configure: 28,
  plugins: 60,
  ownPlugin: 80,
  finish: 90,
  /** The same step on a server without Dokku, which is bootstrapped as soon as it is configured. */
  finishWithoutDokku: 60,
} as const;
export type InstallStep = keyof typeof installPercents;
