import { queryOptions, useQuery } from '@tanstack/react-query';
import { heldKeysKey } from '../../data/query-keys.ts';
import { useSession } from '../../data/session.ts';
import { listHeldKeys } from './keystore.ts';
import { readLocalKeys } from './local-keys.ts';

/** Facts about the keys that this browser holds for an account. The answer never contains a key. */
export function heldKeysQuery(owner: string) {
  return queryOptions({
    queryKey: heldKeysKey(owner),
    queryFn: async () => {
      const held = await listHeldKeys(owner);
      const parts = held.map(({ id, secret }) => [id, secret.kind] as const);
      return { held: new Map(parts), local: readLocalKeys(owner) };
    },
    // The browser's own storage needs no network. Another tab may have changed it.
    networkMode: 'always',
    staleTime: 0,
    structuralSharing: false,
  });
}

export function useHeldKeys() {
  const { user } = useSession();
  return useQuery(heldKeysQuery(user.id));
}
