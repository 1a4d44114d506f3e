import type { Server } from '@homeport/contract/servers/schema';

type Placed = Pick<Server, 'location' | 'country' | 'provider'>;

/** Where a server stands: in its person’s words, else what the console found. Null where nothing is known. */
export const placeOf = (server: Placed): string | null => server.location || foundPlace(server);

/** The country by the address and the provider by the firmware, as far as each is known: "Germany, Hetzner". */
export function foundPlace({ country, provider }: Omit<Placed, 'location'>): string | null {
  return [country, provider].filter((part) => part !== null).join(', ') || null;
}
