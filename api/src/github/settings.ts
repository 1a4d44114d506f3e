/** The GitHub that the console works with, and the console's own OAuth app there. */
export type GithubSettings = {
  clientId: string;
  clientSecret: string;
  /** The address of the pages, without a slash at its end: `https://github.com`. */
  site: string;
  /** The longest time to wait for an answer. Default: 15 s. */
  answerWithinMs?: number;
};

/** Where public repositories are: the GitHub that the console works with, or github.com. */
export const publicSite = (settings: GithubSettings | null) => settings?.site ?? 'https://github.com';

/** The REST interface: of github.com it has a host of its own, of GitHub Enterprise Server a path (GitHub, "Getting started with REST"). */
export function restAddress(site: string): string {
  return new URL(site).host === 'github.com' ? 'https://api.github.com' : `${site}/api/v3`;
}
