import { newsKinds } from '@homeport/contract/notifications/kinds';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import type { RouteInput } from '../../data/route-types.ts';

/** The filter as it stands in the page's address. */
export type NewsSearch = {
  kind?: string | undefined;
  /** The id of a server, an app or a proxy. */
  about?: string | undefined;
  /** The id of an incident, as messages name it in their links. */
  incident?: string | undefined;
  /** Where an older page begins. */
  before?: string | undefined;
};

type NewsQuery = NonNullable<RouteInput<'GET /api/notifications'>['query']>;

/** What the page asks the console for. An address that somebody typed may hold anything: what is no filter filters nothing. */
export function queryOf({ kind, about, incident, before }: NewsSearch): NewsQuery {
  const known = newsKinds.find((each) => each === kind);
  return {
    ...(known !== undefined && { kind: known }),
    ...(about !== undefined && isId(about) && { about }),
    ...(incident !== undefined && isId(incident) && { incident }),
    ...(before !== undefined && isNumber(before) && { before }),
  };
}

/** Whether the person has no news at all. A page may hold none that can be read while older ones follow. */
export function isWithoutNews({ news, next }: Pick<NewsPage, 'news' | 'next'>, query: NewsQuery): boolean {
  return news.length === 0 && next === null && Object.keys(query).length === 0;
}

/** What the list can be about. What the filter names and is gone is among them, so that the list never looks unfiltered. */
export function subjectChoices(
  subjects: NewsPage['subjects'],
  about: string | undefined,
): (readonly [id: string, label: string])[] {
  const choices = subjects.map(
    ({ id, of, name }) => [id, of === 'server' ? `${name} and its apps` : name] as const,
  );
  const isKnown = about === undefined || subjects.some(({ id }) => id === about);
  return isKnown ? choices : [...choices, [about, 'Something that is gone']];
}

const isId = (text: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
const isNumber = (text: string) => /^[0-9]{1,15}$/.test(text);
