import type { Session } from '@homeport/contract/identity';
import { call } from './call.ts';
import { readSession } from './read-session.ts';
import type { RouteOutput } from './route-types.ts';

const frameReads = ['GET /api/servers', 'GET /api/apps', 'GET /monitor/dumps'] as const;
const homeReads = [...frameReads, 'GET /api/keys'] as const;

export type FirstKey = (typeof homeReads)[number];

/** What the first page reads, under way before its program is there. */
export interface FirstReads {
  session: Promise<Session | null>;
  data: { [K in FirstKey]?: Promise<RouteOutput<K>> };
}

/** The browser has asked for these already where the document says so (documents.ts): the answers are handed to it. */
export function readFirst(path: string): FirstReads {
  const keys =
    path === '/' || path === '/home' ? homeReads : /^\/(?:apps|servers)$/.test(path) ? frameReads : [];
  const reads = { session: readSession(), data: Object.fromEntries(keys.map((key) => [key, call(key)])) };
  // The page itself says what cannot be loaded.
  for (const read of [reads.session, ...Object.values(reads.data)]) read.catch(() => undefined);
  return reads;
}
