/**
 * A server’s address is an IPv4 address, an IPv6 address or a host name. The text alone says which, because it is kept in one spelling.
 * Both ends use this module, so it does without `ipaddr.js`.
 */

export type AddressKind = 'ipv4' | 'ipv6' | 'name';

/** @param address as `serverAddress` writes it */
export function addressKindOf(address: string): AddressKind {
  if (address.includes(':')) return 'ipv6';
  return isIpv4(address) ? 'ipv4' : 'name';
}

/** The address as a URL has it: IPv6 in brackets (RFC 3986, 3.2.2). */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The type of the DNS record that leads a name to this address. */
export function recordTypeTo(address: string): 'A' | 'AAAA' | 'CNAME' {
  return ({ ipv4: 'A', ipv6: 'AAAA', name: 'CNAME' } as const)[addressKindOf(address)];
}

/** The eight groups of an IPv6 address in hexadecimal, each without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [before = '', after] = address.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

/** Four decimal numbers without leading zeros: programs read `010` as eight or as ten. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
