import type { IncidentState } from '@homeport/contract/status-pages/facts';
import type { StatusPost } from '@homeport/contract/status-pages/schema';

export const incidentStateTexts: Record<IncidentState, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  watching: 'Watching',
  resolved: 'Resolved',
};

/** Where readers find a page, on the console's own origin. */
export const addressOf = (slug: string, origin = location.origin): string => `${origin}/status/${slug}`;

/** How far an incident or a maintenance is, and whether readers find it under what is over. */
export function standingOf(
  { startsAt, endsAt, updates }: StatusPost,
  now: number,
): { word: string; over: boolean } {
  if (startsAt !== null && endsAt !== null) {
    if (now < startsAt) return { word: 'Planned', over: false };
    return now < endsAt ? { word: 'Under way', over: false } : { word: 'Over', over: true };
  }
  const state = updates[0]?.state ?? 'investigating';
  return { word: incidentStateTexts[state], over: state === 'resolved' };
}

/** The lines of a text that hold something, with their places in it. */
export const linesOf = (text: string): readonly { line: string; place: number }[] =>
  text
    .split('\n')
    .map((line, place) => ({ line, place }))
    .filter(({ line }) => line.trim() !== '');
