import { newsKinds } from '@homeport/contract/notifications/kinds';
import type { RouteInput } from '../../data/route-types.ts';

/** The filter as it stands in the page's address. */
export type NewsSearch = {
  kind?: string | undefined;
  /** The id of a server, an app or a proxy. */
  about?: string | undefined;
  /** Where an older page begins. */
  before?: string | undefined;
};

type NewsQuery = NonNullable<RouteInput<'GET /api/notifications'>['query']>;

/** What the page asks the console for. An address that somebody typed may hold anything: what is no filter filters nothing. */
export function queryOf({ kind, about, before }: NewsSearch): NewsQuery {
  const known = newsKinds.find((each) => each === kind);
  return {
    ...(known !== undefined && { kind: known }),
    ...(about !== undefined && isId(about) && { about }),
    ...(before !== undefined && isNumber(before) && { before }),
  };
}

const isId = (text: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
const isNumber = (text: string) => /^[0-9]{1,15}$/.test(text);
