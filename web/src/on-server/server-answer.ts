import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { NoConnection } from '../connections/with-connection.ts';

/** What a section knows of a server's answer. */
export type OnServer<T> =
  /** The console cannot ask this server, and `text` says why. */
  | { kind: 'closed'; text: string }
  | { kind: 'unconnected' }
  /** Nothing is under way: a section asks once somebody looks at it. */
  | { kind: 'not_asked' }
  | { kind: 'loading' }
  | { kind: 'failed'; error: Error; retry: () => void }
  | { kind: 'ready'; data: T };

/**
 * The answer of a query that asks a server, under the state of this browser's access to the server. undefined: not
 * known yet.
 */
export function answerOf<T>(
  query: { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown },
  connection: string | undefined,
): OnServer<T> {
  if (connection === 'simulated') return { kind: 'closed', text: simulatedTexts.ask };
  // What the console knew before a server became read-only is still shown.
  if (query.data !== undefined) return { kind: 'ready', data: query.data };
  if (connection === 'read-only') return { kind: 'closed', text: readOnlyTexts.ask };
  if (connection === undefined || query.isFetching) return { kind: 'loading' };
  if (connection !== 'connected' || query.error instanceof NoConnection) return { kind: 'unconnected' };
  if (query.error) return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
  return { kind: 'not_asked' };
}

/** The access to a server that a section begins to ask without a look at this browser's connections. */
export function accessTo({ simulated, credential }: Pick<Server, 'simulated' | 'credential'>) {
  if (simulated) return 'simulated';
  return credential === null ? 'read-only' : 'connected';
}
