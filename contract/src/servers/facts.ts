export const defaultSshPort = 22;
export const subdomainCharacters = 40;

/** How many global domains of a server its record names. Dokku takes any number. */
export const globalDomainsNamed = 5;

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
