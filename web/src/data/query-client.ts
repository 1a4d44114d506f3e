import { refreshEveryMs } from '@homeport/contract/limits';
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isProblem } from './api-problem.ts';
import { sessionKey } from './session-key.ts';

/** Loads, keeps and renews what the page shows: every minute, and at once when the console says that it changed. */
export function createQueryClient(): QueryClient {
  // By default what was read is told with a timer, and browsers run the timers of a hidden tab once a second.
  notifyManager.setScheduler(queueMicrotask);
  const signedOut = (error: unknown) => {
    if (isProblem(error, 'not_signed_in')) client.setQueryData(sessionKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        signedOut(error);
        // What is gone is no failure: the page says so, and stats of an app may be asked for as it is being destroyed.
        if (isProblem(error, 'not_found')) return;
        // biome-ignore lint/suspicious/noConsole: a failed load is told where developers look first, too
        console.error('Loading failed', query.queryKey, error);
      },
    }),
    mutationCache: new MutationCache({ onError: signedOut }),
    defaultOptions: {
      queries: {
        staleTime: refreshEveryMs / 2,
        refetchInterval: refreshEveryMs,
        // A query only reads: asking again does nothing twice, also where a command was cut off on the server.
        retry: (failures, error) =>
          failures < 1 && (isProblem(error, 'unavailable') || isProblem(error, 'connection_lost')),
      },
      mutations: { retry: false },
    },
  });
  return client;
}
