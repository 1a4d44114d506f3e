import { networks } from '@homeport/contract/network/addresses';

/** Blocks whose addresses end with an IPv4 address: IPv4-compatible, IPv4-translated, and NAT64 in both of its prefixes. */
const endsWithIt = networks(['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48']);
const sixToFour = networks(['2002::/16']);

/**
 * The IPv4 address that a gateway or the kernel may connect to when it is given this IPv6 address. Null where there is none. An
 * IPv4-mapped address is IPv4 already (`canonicalAddress`).
 *
 * @param address in the canonical spelling
 */
export function embeddedAddress(address: string): string | null {
  if (!address.includes(':') || address === '::' || address === '::1') return null;
  const groups = groupsOf(address);
  if (endsWithIt.contain(address)) return dotted(groups[6] ?? 0, groups[7] ?? 0);
  if (sixToFour.contain(address)) return dotted(groups[1] ?? 0, groups[2] ?? 0);
  return null;
}

/** The eight groups of a canonical IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [before = '', after] = address.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [first, last] = [numbers(before), numbers(after ?? '')];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
