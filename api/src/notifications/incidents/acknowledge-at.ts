import type { Weighed } from '../weigh-news.ts';

/** The path of the page that shows the incident that goes on, or all news where several do. Null where none does. */
export function acknowledgeAt(news: readonly Weighed[]): string | null {
  const over = new Set(news.filter(({ state }) => state === 'resolved').map(({ incident }) => incident));
  const paths = new Set(
    news.flatMap(({ incident, acknowledge }) => (acknowledge && !over.has(incident) ? [acknowledge] : [])),
  );
  const [path = null, ...more] = paths;
  return more.length > 0 ? '/notifications' : path;
}
