/**
 * By what a visitor's share is counted: the IPv4 address, or the /64 of an IPv6 address. One machine usually has a whole /64 (RFC 6177),
 * and could ask from another address each time.
 *
 * @param address in the spelling of `canonicalAddress`
 */
export function visitorNetwork(address: string): string {
  return address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/**
 * The most that one customer of a provider usually has: the /48 of an IPv6 address (RFC 6177), or the /24 of an IPv4 address.
 *
 * @param address in the spelling of `canonicalAddress`
 */
export function customerNetwork(address: string): string {
  if (address.includes(':')) return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [left = '', right] = address.split('::');
  const groups = left === '' ? [] : left.split(':');
  if (right !== undefined) {
    const last = right === '' ? [] : right.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups;
}
