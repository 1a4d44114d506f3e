import { withoutHidden } from '@homeport/contract/fields/shown-text';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { headOfGroup } from '../head-of-group.ts';
import { acknowledgeAt } from '../incidents/acknowledge-at.ts';
import { moment } from '../moment.ts';
import type { Weighed } from '../weigh-news.ts';
import { cutText } from './cut-text.ts';

/** A message as people read it, before a service's own form. Every text is one line of bounded length and holds no hidden characters. */
export type Composed = {
  /** What it is about, and whether it is over; of several pieces of one server, what they say together. */
  heading: string;
  /** One for each piece of news, with the address of its page. */
  lines: readonly { text: string; url: string }[];
  /** Further facts of a single piece. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Pieces that have no line of their own. */
  more: number;
  /** The address at which somebody says that they look into what goes on; null where nothing does. */
  acknowledge: string | null;
  /** How much it may disturb. What is over makes no sound. */
  urgency: 'quiet' | 'normal' | 'urgent';
  severity: Weighed['severity'];
  state: Weighed['state'];
};

/** Characters. */
const bounds = { heading: 150, single: 1_000, line: 300, fact: 400 } as const;
const weights = { info: 0, warning: 1, critical: 2 } as const;

/** @param origin the console's origin */
export function composeNews(origin: string, news: readonly [Weighed, ...Weighed[]]): Composed {
  const [first, ...others] = news;
  const isSingle = others.length === 0;
  const shown = news.slice(0, notificationRules.summaryLines);
  const lines = shown.map(({ text, page }) => ({
    text: oneLine(text, isSingle ? bounds.single : bounds.line),
    url: addressOf(origin, page),
  }));
  const acknowledge = acknowledgeAt(news);
  const shared = { lines, acknowledge: acknowledge && addressOf(origin, acknowledge) };
  if (isSingle)
    return {
      ...shared,
      ...{ heading: headingOf(first), more: 0, severity: first.severity, state: first.state },
      ...{ urgency: urgencyOf(first), facts: factsOf(first) },
    };
  const heaviest = news.reduce((most, each) =>
    weights[each.severity] > weights[most.severity] ? each : most,
  );
  const group = headOfGroup(news);
  const { severity } = heaviest;
  return {
    ...{ ...shared, facts: [], more: news.length - shown.length, severity },
    ...(group
      ? {
          ...{ heading: oneLine(group.heading, bounds.heading), state: group.state },
          urgency: urgencyOf({ event: heaviest.event, severity, state: group.state }),
        }
      : {
          ...{ heading: `${news.length} pieces of news`, state: 'none' },
          urgency: severity === 'info' ? 'quiet' : 'normal',
        }),
  };
}

function headingOf({ state, topic }: Weighed): string {
  return oneLine(`${state === 'resolved' ? 'Resolved: ' : ''}${topic}`, bounds.heading);
}

const factsOf = ({ details }: Weighed) =>
  details.map(
    ([name, value]) =>
      [name, typeof value === 'number' ? moment(value) : oneLine(value, bounds.fact)] as const,
  );

function urgencyOf({
  event,
  severity,
  state,
}: Pick<Weighed, 'event' | 'severity' | 'state'>): Composed['urgency'] {
  if (event === 'test') return 'normal';
  if (state === 'resolved' || severity === 'info') return 'quiet';
  return severity === 'critical' ? 'urgent' : 'normal';
}

const oneLine = (text: string, most: number) =>
  cutText(withoutHidden(text).replaceAll('\n', ' ').replaceAll('\t', ' '), most);

/** Without round brackets, which end the address of a link in several markups. */
const addressOf = (origin: string, page: string) =>
  (origin + page).replaceAll('(', '%28').replaceAll(')', '%29');
