import { networkInterfaces } from 'node:os';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';

/** Asking the kernel costs more than the rest of a decision. */
const believedMs = 1_000;

/**
 * Tells this machine's addresses from others. Packets to them never leave the machine, so its firewall does not see them come in.
 *
 * @param read the addresses of all interfaces
 */
export function createOwnAddresses(
  read: () => readonly string[] = interfaceAddresses,
  now: () => number = () => performance.now(),
): (address: string) => boolean {
  let known: { at: number; addresses: ReadonlySet<string | null> } | undefined;
  return (address) => {
    if (isLoopbackAddress(address)) return true;
    if (known === undefined || now() - known.at > believedMs)
      known = { at: now(), addresses: new Set(read().map(canonicalAddress)) };
    return known.addresses.has(address);
  };
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) =>
    // A link-local address has a zone, and is refused before anybody asks whose it is.
    (cards ?? []).map(({ address }) => address),
  );
}
