import { useRouterState } from '@tanstack/react-router';

/** The token of a mailed link. It stands behind the `#`, which browsers never send: so it is in no log and no Referer. */
export function useLinkToken(): string | undefined {
  const hash = useRouterState({ select: (state) => state.location.hash });
  return new URLSearchParams(hash).get('token') ?? undefined;
}
