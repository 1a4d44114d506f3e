import { refreshEveryMs } from '@homeport/contract/limits';
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isProblem } from './api-problem.ts';
import { sessionKey } from './session-key.ts';

/**
 * Loads, caches and renews the data of the page: every minute, and at once when the console reports a change.
 */
export function createQueryClient(): QueryClient {
  // By default the client delivers data in a timer, and browsers slow the timers of a hidden tab to one a
  // second.
  notifyManager.setScheduler(queueMicrotask);
  const signedOut = (error: unknown) => {
    if (isProblem(error, 'not_signed_in')) client.setQueryData(sessionKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        signedOut(error);
        // A deleted record is not a failure: the page reports it. An app's stats may also be requested during
        // its destruction. The end of the session is none either: the page leads to signing in.
        if (isProblem(error, 'not_found') || isProblem(error, 'not_signed_in') || wasCutOff(error)) return;
        // biome-ignore lint/suspicious/noConsole: developers look for a failed load in the console first
        console.error('Loading failed', query.queryKey, error);
      },
    }),
    mutationCache: new MutationCache({ onError: signedOut }),
    defaultOptions: {
      queries: {
        staleTime: refreshEveryMs / 2,
        refetchInterval: refreshEveryMs,
        // A query only reads, so a retry is safe even if the server cut off a command.
        retry: (failures, error) =>
          failures < 1 &&
          (isProblem(error, 'unavailable') || isProblem(error, 'connection_lost') || wasCutOff(error)),
        // By default the client sends nothing while the browser is offline: a section would load for ever, without a word. A console on
        // this machine is reached all the same.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // For the same reason. By default a change is held back as well, and sent much later.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

/**
 * A browser ends the requests of a page that the person leaves, and Firefox tells the page of it. That is no failure.
 * The request is repeated because the browser may show the same page again when the person goes back.
 */
function wasCutOff(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
