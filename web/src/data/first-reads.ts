import type { Session } from '@homeport/contract/identity/schema';
import { call } from './call.ts';
import { type FirstKey, firstKeys, ownersFirstKeys } from './first-keys.ts';
import { readSession } from './read-session.ts';
import type { RouteOutput } from './route-types.ts';

/** The first reads of a page. They start before the page's program is loaded. */
export interface FirstReads {
  session: Promise<Session | null>;
  data: Answers;
  /** What the owner's page needs besides. They start with the session's answer, and are none for everybody else. */
  ownersData: Promise<Answers>;
}

type Answers = { [K in FirstKey]?: Promise<RouteOutput<K>> };

/** If the document has preloaded these routes, the browser hands the answers to these calls. */
export function readFirst(path: string): FirstReads {
  const session = readSession({ preloaded: true });
  const data = readAll(firstKeys(path), { preloaded: true });
  const ownersData = session.then(
    (read) => readAll(read?.owner ? ownersFirstKeys(path) : []),
    () => ({}),
  );
  return { session, data, ownersData };
}

function readAll(keys: readonly FirstKey[], options?: { preloaded: boolean }): Answers {
  const reads = Object.fromEntries(keys.map((key) => [key, call(key, undefined, options)]));
  // The page itself reports a failed load.
  for (const read of Object.values(reads)) read.catch(() => undefined);
  return reads;
}
