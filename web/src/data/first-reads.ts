import type { Session } from '@homeport/contract/identity/schema';
import { call } from './call.ts';
import { type FirstKey, firstKeys } from './first-keys.ts';
import { readSession } from './read-session.ts';
import type { RouteOutput } from './route-types.ts';

/** What the first page reads, under way before its program is there. */
export interface FirstReads {
  session: Promise<Session | null>;
  data: { [K in FirstKey]?: Promise<RouteOutput<K>> };
}

/** Where the document has asked for these already, the browser hands the answers to these calls. */
export function readFirst(path: string): FirstReads {
  const data = Object.fromEntries(
    firstKeys(path).map((key) => [key, call(key, undefined, { preloaded: true })]),
  );
  const reads = { session: readSession({ preloaded: true }), data };
  // The page itself says what cannot be loaded.
  for (const read of [reads.session, ...Object.values(data)]) read.catch(() => undefined);
  return reads;
}
