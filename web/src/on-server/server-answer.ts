import { NoConnection } from '../connections/with-connection.ts';

/** What a section knows of a server's answer. */
export type OnServer<T> =
  | { kind: 'simulated' }
  | { kind: 'unconnected' }
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
  if (connection === 'simulated') return { kind: 'simulated' };
  if (query.data !== undefined) return { kind: 'ready', data: query.data };
  if (connection === undefined || query.isFetching) return { kind: 'loading' };
  if (connection !== 'connected' || query.error instanceof NoConnection) return { kind: 'unconnected' };
  if (query.error) return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
  return { kind: 'loading' };
}
