import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Outgoing } from '../channel.ts';
import { headOfGroup } from '../head-of-group.ts';
import type { Weighed } from '../weigh-news.ts';

/** The body of a webhook (Standard Webhooks 1.0.0): one piece of news, or a `summary` of several. */
export function writeEvent(origin: string, { news }: Pick<Outgoing, 'news'>): string {
  const [first, ...others] = news;
  if (others.length === 0) return JSON.stringify({ ...headOf(first), data: dataOf(origin, first) });
  let shown = news.length;
  for (;;) {
    const pieces = news.slice(0, shown);
    const body = JSON.stringify({
      ...{ type: 'summary', timestamp: timeOf(first.at) },
      data: {
        text: headOfGroup(news)?.heading ?? `${news.length} pieces of news`,
        news: pieces.map((piece) => ({ ...headOf(piece), data: dataOf(origin, piece) })),
        more: news.length - shown,
      },
    });
    if (Buffer.byteLength(body) <= destinationLimits.bodyBytes || shown === 1) return body;
    shown = Math.max(1, Math.floor(shown * (destinationLimits.bodyBytes / Buffer.byteLength(body)) * 0.95));
  }
}

const headOf = ({ event, at }: Weighed) => ({ type: event.replaceAll('-', '_'), timestamp: timeOf(at) });

const dataOf = (
  origin: string,
  { incident, state, severity, topic, text, details, page, acknowledge, repeated }: Weighed,
) => ({
  ...{ incident, state, severity, topic, text, url: origin + page },
  ...(repeated && { repeated }),
  ...(acknowledge !== null && { acknowledge: origin + acknowledge }),
  details: details.map(([name, value]) => ({
    name,
    value: typeof value === 'number' ? timeOf(value) : value,
  })),
});

const timeOf = (at: number) => new Date(at).toISOString();
