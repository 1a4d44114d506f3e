/**
 * A query that asks a server: once for each key, and again where there is no answer yet, when the browser is online again. Values of variables
 * are secrets, so the cache drops them as soon as no page shows them.
 */
export const askedOnce = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  gcTime: 0,
} as const;
