import type { Session } from '@homeport/contract/identity';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { isProblem } from './api-problem.ts';
import { call } from './call.ts';
import { sessionKey } from './session-key.ts';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await call('GET /api/session', undefined, { signal });
    } catch (error) {
      if (isProblem(error, 'not_signed_in')) return null;
      throw error;
    }
  },
});

/** The signed-in session; for pages inside the frame, which is shown to nobody else. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session on this page.');
  return data;
}
