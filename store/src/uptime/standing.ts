import type { UptimeState } from '@homeport/contract/uptime/facts';

/** What is known of a checked app. */
export type Standing = {
  /** What consecutive checks have agreed on; null before that. */
  confirmed: 'up' | 'down' | null;
  confirmedAt: number | null;
  /** How many checks in a row have said the opposite since, and when the first of them was made. */
  against: number;
  turnedAt: number | null;
  /** Since when nothing could be found out. */
  unknownSince: number | null;
};

export type ShownState = { state: UptimeState; since: number; online: boolean | null };

/** A standing as a person is told of it. An app that fails and is not confirmed down is pending, and online still. */
export function shownState(standing: Standing & { paused: boolean; setUpAt: number }): ShownState {
  const { confirmed, confirmedAt, against, turnedAt, unknownSince, setUpAt } = standing;
  if (standing.paused) return { state: 'paused', since: turnedAt ?? setUpAt, online: null };
  if (unknownSince !== null) return { state: 'unknown', since: unknownSince, online: null };
  if (confirmed === null) return { state: 'pending', since: turnedAt ?? setUpAt, online: null };
  if (confirmed === 'up' && against > 0)
    return { state: 'pending', since: turnedAt ?? setUpAt, online: true };
  return { state: confirmed, since: confirmedAt ?? setUpAt, online: confirmed === 'up' };
}
