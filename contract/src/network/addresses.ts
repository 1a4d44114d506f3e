import ipaddr from 'ipaddr.js';

/**
 * The one place that says what an IP address is. It needs `ipaddr.js`, so a module of the page does not import it;
 * `loopback.ts` is for both ends.
 */

/**
 * An address in one spelling, so that two can be compared. An IPv4-mapped IPv6 address becomes the IPv4 address that a
 * socket connects to (RFC 4291, 2.5.5.2). Null for a name, for `127.1`, and for an address with a zone.
 */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null;
}

/**
 * Whether packets to this address leave for the public internet and go to one machine. False for everything that the
 * special-purpose registries of IANA list, also where an entry is globally reachable: nobody runs a server there.
 * Of IPv6 only 2000::/3 is allocated to global unicast (RFC 4291, 2.4), so all else is refused without a list.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === null || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isIn(address, globalUnicast);
}

/**
 * A test of membership in any of these networks.
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
  // Without this check ipaddr.js takes `0x7f000001` and `0177.1` too, which not every program reads in the same way.
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  if (text.includes('%') || !ipaddr.isValid(text)) return null;
  return ipaddr.process(text);
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
