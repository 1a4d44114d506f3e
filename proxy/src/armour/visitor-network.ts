/**
 * By what a visitor's share is counted: the IPv4 address, or the /64 of an IPv6 address. One machine usually has a whole /64 (RFC 6177),
 * and could ask from another address each time.
 *
 * @param address in the spelling of `canonicalAddress`
 */
export function visitorNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('::');
  const groups = left === '' ? [] : left.split(':');
  if (right !== undefined) {
    const last = right === '' ? [] : right.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
