import type { Session } from '@homeport/contract/identity/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readSession } from './read-session.ts';
import { sessionKey } from './session-key.ts';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession({ signal }),
});

/** The signed-in session; for pages inside the frame, which is shown to nobody else. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session on this page.');
  return data;
}
