import { queryOptions, useQuery } from '@tanstack/react-query';
import { heldKeysKey } from '../../data/query-keys.ts';
import { useSession } from '../../data/session.ts';
import { listHeldKeys } from './keystore.ts';
import { readLocalKeys } from './local-keys.ts';

/** What this browser holds for an account: never the keys themselves. */
export function heldKeysQuery(owner: string) {
  return queryOptions({
    queryKey: heldKeysKey(owner),
    queryFn: async () => {
      const held = await listHeldKeys(owner);
      const parts = held.map(({ id, secret }) => [id, secret.kind] as const);
      return { held: new Map(parts), local: readLocalKeys(owner) };
    },
    // The browser's own storage needs no network, and another tab may have changed it.
    networkMode: 'always',
    staleTime: 0,
    structuralSharing: false,
  });
}

export function useHeldKeys() {
  const { user } = useSession();
  return useQuery(heldKeysQuery(user.id));
}
