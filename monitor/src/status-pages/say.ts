import { type ComponentState, componentStateTexts } from '@homeport/contract/status-pages/facts';
import type { ShownComponent, ShownPost, ShownStatusPage, StatusDay } from '@homeport/store';

/** The worst comes first. */
const order: readonly ComponentState[] = ['down', 'slow', 'maintenance', 'unknown', 'up'];

/** The state of a page as a whole; unknown for a page without components. */
export const overallState = (components: readonly ShownComponent[]): ComponentState =>
  order.find((state) => components.some((each) => each.state === state)) ?? 'unknown';

/** Whether the page's author wrote of an incident, and not yet that it is resolved. */
export const goesOn = ({ kind, updates }: Pick<ShownPost, 'kind' | 'updates'>): boolean =>
  kind === 'incident' && updates[0]?.state !== 'resolved';

/** The page as a whole, in words and in the colour of a state. Checks may find everything up while the author writes of an incident. */
export function headlineOf({ components, posts }: Pick<ShownStatusPage, 'components' | 'posts'>): {
  state: ComponentState;
  text: string;
  /** One word, for a badge. */
  word: string;
} {
  const state = overallState(components);
  if ((state === 'up' || components.length === 0) && posts.some(goesOn))
    return { state: 'slow', text: 'An incident is going on', word: 'incident' };
  return { state, text: overallText(components, state), word: componentStateTexts[state].toLowerCase() };
}

function overallText(components: readonly ShownComponent[], state: ComponentState): string {
  const isAll = components.every((each) => each.state === state);
  if (components.length === 0) return 'Nothing is shown here yet';
  if (state === 'up') return 'Everything is up';
  const text = componentStateTexts[state];
  return isAll ? text : `Partly ${text.toLowerCase()}`;
}

/**
 * Percent of what was measured in these days; null where nothing was. Rounded down, so that an outage never reads as 100 %.
 */
export function uptimePercent(days: readonly StatusDay[]): number | null {
  const up = days.reduce((sum, day) => sum + day.up, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return up + down === 0 ? null : Math.floor((up / (up + down)) * 10_000) / 100;
}

export const percentText = (percent: number | null): string =>
  percent === null ? 'No data' : `${percent === 100 ? '100' : percent.toFixed(2)} %`;

/** "27 Nov 2026, 10:13 UTC". */
export function timeText(at: number): string {
  const [, day, month, year, time = ''] = new Date(at).toUTCString().split(' ');
  return `${day} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}
