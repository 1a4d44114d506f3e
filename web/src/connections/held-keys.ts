import { useQuery } from '@tanstack/react-query';
import { type HeldKey, listHeldKeys } from '../credentials/keys/keystore.ts';
import { useSession } from '../data/session.ts';

/** The private keys that this browser holds for the signed-in person; invalidate `['held-keys']` after a change. */
export function useHeldKeys(): HeldKey[] | undefined {
  const owner = useSession().user.id;
  return useQuery({
    queryKey: ['held-keys', owner],
    queryFn: () => listHeldKeys(owner),
    staleTime: 0,
  }).data;
}
