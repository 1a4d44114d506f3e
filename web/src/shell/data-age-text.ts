import { staleAfterMs } from '@homeport/contract/limits';
import type { LiveState } from '../data/live/live.ts';
import { formatAgo } from '../ui/text/format.ts';

/**
 * What the header says of the data's age, and whether it warns. While changes stream in, data that nobody changed stay as old as they
 * are, and are up to date.
 *
 * @param oldest when the oldest data of the page were read; null: nothing is read yet
 */
export function dataAgeText(
  live: LiveState,
  oldest: number | null,
  now: number,
): { text: string; late: boolean } {
  const late = live !== 'live' && oldest !== null && now - oldest > staleAfterMs;
  const age = oldest === null ? 'Not loaded yet' : `Updated ${formatAgo(oldest, now)}`;
  return { text: late || live === 'polling' ? age : live === 'live' ? 'Live' : '', late };
}
