import { messages } from '../states/messages.ts';
import type { UptimeState } from './facts.ts';

/** What the store holds about the checks of an app. Times are epoch milliseconds. */
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

export type ShownUptime = { state: UptimeState; since: number; online: boolean | null };

/**
 * The state of a check that a person sees, for every page. An app that fails but is not confirmed down is
 * pending, and still online.
 */
export function uptimeState(standing: Standing & { paused: boolean; setUpAt: number }): ShownUptime {
  const { confirmed, confirmedAt, against, turnedAt, unknownSince, setUpAt } = standing;
  if (standing.paused) return { state: 'paused', since: turnedAt ?? setUpAt, online: null };
  if (unknownSince !== null) return { state: 'unknown', since: unknownSince, online: null };
  if (confirmed === null) return { state: 'pending', since: turnedAt ?? setUpAt, online: null };
  if (confirmed === 'up' && against > 0)
    return { state: 'pending', since: turnedAt ?? setUpAt, online: true };
  return { state: confirmed, since: confirmedAt ?? setUpAt, online: confirmed === 'up' };
}

/** "Online", "Offline", "Checking", "Not checked", "Paused". */
export function uptimeText({ state, online }: Pick<ShownUptime, 'state' | 'online'>): string {
  if (state === 'paused') return messages.paused;
  if (online !== null) return online ? messages.online : messages.offline;
  return state === 'unknown' ? 'Not checked' : 'Checking';
}
