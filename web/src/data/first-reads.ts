import type { Session } from '@homeport/contract/identity/schema';
import { call } from './call.ts';
import { type FirstKey, firstKeys } from './first-keys.ts';
import { readSession } from './read-session.ts';
import type { RouteOutput } from './route-types.ts';

/** The first reads of a page. They start before the page's program is loaded. */
export interface FirstReads {
  session: Promise<Session | null>;
  data: { [K in FirstKey]?: Promise<RouteOutput<K>> };
}

/** If the document has preloaded these routes, the browser hands the answers to these calls. */
export function readFirst(path: string): FirstReads {
  const data = Object.fromEntries(
    firstKeys(path).map((key) => [key, call(key, undefined, { preloaded: true })]),
  );
  const reads = { session: readSession({ preloaded: true }), data };
  // The page itself reports a failed load.
  for (const read of [reads.session, ...Object.values(data)]) read.catch(() => undefined);
  return reads;
}
