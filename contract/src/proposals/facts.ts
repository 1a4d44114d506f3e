/**
 * What programs may propose. Each begins an operation on an app over the browser's connection, holds no secret, and nothing of the app is
 * lost by it. None fetches or builds code: a rebuild takes whatever the deploy branch has, and its person would not see whose it is. A route that
 * is not named here cannot be proposed.
 */
export const proposableRoutes = [
  'POST /api/apps/:id/start',
  'POST /api/apps/:id/stop',
  'POST /api/apps/:id/restart',
  'POST /api/apps/:id/plan',
  'POST /api/apps/:id/scale',
  'POST /api/apps/:id/processes/restart',
  'POST /api/apps/:id/domains',
] as const;
export type ProposableRoute = (typeof proposableRoutes)[number];

/**
 * `run`: a person approved, and the operation has begun. `expired`: nobody decided in time. `revoked`: the token that proposed it is gone
 * or has expired.
 */
export const proposalStates = ['open', 'run', 'declined', 'withdrawn', 'expired', 'revoked'] as const;
export type ProposalState = (typeof proposalStates)[number];

export const proposalLimits = {
  /** Open ones of one token. */
  openOfToken: 5,
  /** Open ones of all tokens of one account. */
  openOfAccount: 20,
  /** New ones of one account in 24 hours. */
  perDay: 100,
  /** One that nobody approved by then cannot be approved any more. */
  lifeMs: 60 * 60_000,
  /** The program's own words. */
  whyCharacters: 200,
  /** Listed for so many days. */
  days: 7,
  /** In the list of them: the open ones, then the newest. */
  listed: 50,
} as const;

/** A person who clicks as the page opens approves nothing unread. */
export const approvableAfterMs = 1_000;
