import type { Session } from '@homeport/contract/identity';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { isProblem } from './api-problem.ts';
import { call } from './call.ts';
import { dropEarly } from './early-answers.ts';
import { sessionKey } from './session-key.ts';
import { rememberSignedIn } from './signed-in-hint.ts';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const session = await call('GET /api/session', undefined, { signal });
      rememberSignedIn(true);
      return session;
    } catch (error) {
      if (isProblem(error, 'not_signed_in')) {
        rememberSignedIn(false);
        dropEarly();
        return null;
      }
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
