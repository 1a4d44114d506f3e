import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '@homeport/contract/network/addresses';

/** What to say of a socket that failed before it was connected. @param code of connect(2) */
export function whyUnreachable(
  { host, port }: { host: string; port: number },
  code: string | undefined,
): string {
  // The kernel has no route to the address, or no address of its own to send from.
  if (isIP(host) === 6 && (code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL'))
    return `This console has no IPv6, so it cannot reach ${host} port ${port} (${code}).`;
  return `No SSH server answers at ${host} port ${port} (${code ?? 'connection failed'}).`;
}

/**
 * A sentence for a public IPv6 address that did not answer, where the console has no such address itself: a network may take its
 * packets and lose them. Empty otherwise.
 *
 * @param own the addresses of this machine
 */
export function withoutIpv6(host: string, own: readonly string[] = interfaceAddresses()): string {
  if (isIP(host) !== 6 || !isPublicAddress(host)) return '';
  return own.some((address) => isIP(address) === 6 && isPublicAddress(address))
    ? ''
    : ' This console has no public IPv6 address.';
}

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
