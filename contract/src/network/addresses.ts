import ipaddr from 'ipaddr.js';

/**
 * The one place that decides what an IP address is. This module needs `ipaddr.js`, so a module of the page
 * does not import it; `loopback.ts` is for both ends.
 */

/**
 * Writes an address in one spelling, so that two can be compared. An IPv4-mapped IPv6 address becomes the
 * IPv4 address that a socket connects to (RFC 4291, 2.5.5.2). Null for a name, for `127.1`, and for an
 * address with a zone.
 */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null;
}

/**
 * Whether packets to this address go over the public internet to one machine. False for everything that the
 * special-purpose registries of IANA list, even for a globally reachable entry: nobody runs a server there.
 * In IPv6 only 2000::/3 is allocated to global unicast (RFC 4291, 2.4), so all else is refused without a
 * list.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === null || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isIn(address, globalUnicast);
}

/**
 * Tests whether an address is in any of these networks.
 *
 * @param list `10.0.0.0/8`, `fd00::/8`
 */
export function networks(list: readonly string[]): { contain(address: string): boolean } {
  const parsed = list.map((network) => ipaddr.parseCIDR(network));
  return {
    contain(text) {
      const address = parse(text);
      return address !== null && parsed.some((network) => isIn(address, network));
    },
  };
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

const globalUnicast = ipaddr.parseCIDR('2000::/3');

function parse(text: string): Address | null {
  // Without this check ipaddr.js also takes `0x7f000001` and `0177.1`, which programs read in different ways.
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  if (text.includes('%') || !ipaddr.isValid(text)) return null;
  return ipaddr.process(text);
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
