/** What the sign-in page has to know again when GitHub leads back to it. Kept for this tab, and taken once. */
export interface GithubVisit {
  /** The address to open afterwards. */
  next?: string | undefined;
  /** The token of an invitation's link. */
  invitation?: string | undefined;
}

const name = 'homeport.github';

export function keepGithubVisit({ next, invitation }: GithubVisit): void {
  const kept = new URLSearchParams({ ...(next && { next }), ...(invitation && { invitation }) });
  sessionStorage.setItem(name, kept.toString());
}

export function takeGithubVisit(): GithubVisit {
  const kept = new URLSearchParams(sessionStorage.getItem(name) ?? '');
  sessionStorage.removeItem(name);
  return { next: kept.get('next') ?? undefined, invitation: kept.get('invitation') ?? undefined };
}

/** What GitHub added to the address: the person's consent, or a refusal. Null without a visit. */
export type GithubReturn = { kind: 'agreed'; code: string; state: string } | { kind: 'refused' };

export function githubReturn(query: URLSearchParams): GithubReturn | null {
  const state = query.get('state');
  if (state === null) return null;
  const code = query.get('code');
  if (code !== null) return { kind: 'agreed', code, state };
  return query.has('error') ? { kind: 'refused' } : null;
}

export const refusedAtGithub = 'You did not agree at GitHub. Nothing was changed.';
