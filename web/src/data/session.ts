import type { Session } from '@homeport/contract/identity/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readSession } from './read-session.ts';
import { sessionKey } from './session-key.ts';

/** The session of the signed-in user. null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession({ signal }),
});

/** The signed-in session. For pages inside the frame only, because nobody else sees the frame. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session on this page.');
  return data;
}
