import type { UptimeState } from '@homeport/contract/uptime/facts';

/** The known state of a checked app. */
export type Standing = {
  /** The state that consecutive checks agreed on. Null before that. */
  confirmed: 'up' | 'down' | null;
  confirmedAt: number | null;
  /** How many checks in a row have found the opposite since, and when the first of these was made. */
  against: number;
  turnedAt: number | null;
  /** Since when checks could not tell up from down. */
  unknownSince: number | null;
};

export type ShownState = { state: UptimeState; since: number; online: boolean | null };

/** The state that a person sees. An app that fails but is not confirmed down is pending, and still online. */
export function shownState(standing: Standing & { paused: boolean; setUpAt: number }): ShownState {
  const { confirmed, confirmedAt, against, turnedAt, unknownSince, setUpAt } = standing;
  if (standing.paused) return { state: 'paused', since: turnedAt ?? setUpAt, online: null };
  if (unknownSince !== null) return { state: 'unknown', since: unknownSince, online: null };
  if (confirmed === null) return { state: 'pending', since: turnedAt ?? setUpAt, online: null };
  if (confirmed === 'up' && against > 0)
    return { state: 'pending', since: turnedAt ?? setUpAt, online: true };
  return { state: confirmed, since: confirmedAt ?? setUpAt, online: confirmed === 'up' };
}
