/** The console's own OAuth app at GitHub. */
export type OAuthApp = { clientId: string; clientSecret: string };

/** The GitHub that the console works with. */
export type GithubSettings = {
  /** The address of the pages, without a slash at its end: `https://github.com`. */
  site: string;
  /** The longest time to wait for an answer. Default: 15 s. */
  answerWithinMs?: number;
  /** The largest archive of a repository that is passed on. Default: `archiveBytes`. */
  archiveBytes?: number;
  /** Where its git is over SSH, if not on the host of the pages at port 22 for the account git. */
  ssh?: GitSsh | undefined;
  /** The host keys of that address, `type key`, where `GET /meta` names none. */
  hostKeys?: readonly string[] | undefined;
};

/** The settings as the operator gave them: with an OAuth app, or without one. */
export type GithubConfiguration = GithubSettings & { app: OAuthApp | null };

export const githubDotCom: GithubConfiguration = { site: 'https://github.com', app: null };

type GitSsh = { host: string; port: number; user: string };

/** Where git reaches this GitHub over SSH. */
export function gitSshOf({ site, ssh }: Pick<GithubSettings, 'site' | 'ssh'>): GitSsh {
  return ssh ?? { host: new URL(site).hostname, port: 22, user: 'git' };
}

/** The page where a person sees what the console may do, asks an organisation for more, and revokes the grant. */
export const grantPage = ({ site }: Pick<GithubSettings, 'site'>, { clientId }: Pick<OAuthApp, 'clientId'>) =>
  `${site}/settings/connections/applications/${encodeURIComponent(clientId)}`;

/** The page where a person makes, widens and deletes access tokens. */
export const tokensPage = ({ site }: Pick<GithubSettings, 'site'>) =>
  `${site}/settings/personal-access-tokens`;

/** The REST interface: of github.com it has a host of its own, of GitHub Enterprise Server a path (GitHub, "Getting started with REST"). */
export function restAddress(site: string): string {
  return new URL(site).host === 'github.com' ? 'https://api.github.com' : `${site}/api/v3`;
}

/**
 * Where a picture of a person may lie: github.com has a host for pictures, GitHub Enterprise Server its own host, or one below it
 * (GitHub, "Enabling subdomain isolation").
 */
export function avatarOrigins({ site }: Pick<GithubSettings, 'site'>): readonly string[] {
  const { protocol, host, origin } = new URL(site);
  if (host === 'github.com') return ['https://avatars.githubusercontent.com'];
  return [origin, `${protocol}//avatars.${host}`];
}

/**
 * Whether an address is one where this GitHub keeps archives: `codeload.` before its host, or `/codeload/` of the host itself on a GitHub
 * Enterprise Server without subdomains (GitHub, "Enabling subdomain isolation"). Only a
 * stand-in on this machine has archives without TLS.
 */
export function isArchiveAddress(site: string, address: URL): boolean {
  const { host, hostname } = new URL(site);
  const isSafe = address.protocol === 'https:' || (address.protocol === 'http:' && hostname === '127.0.0.1');
  if (!isSafe || address.username !== '' || address.password !== '') return false;
  if (address.host === `codeload.${host}`) return true;
  return host !== 'github.com' && address.host === host && /^\/_?codeload\//.test(address.pathname);
}
