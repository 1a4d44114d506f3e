import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Which addresses may be checked. Somebody with an account names them, and the console stands inside its own network. */
export type Gate = {
  /** Why this URL may not be asked for; null where it may, as far as its text tells. */
  refusesUrl(url: URL): string | null;
  /** Why this address may not be connected to; null where it may. */
  refusesAddress(address: string, port: number): string | null;
  /** Whether the way to this address leads over the internet. */
  isPublic(address: string): boolean;
};

/** What is no unicast address of the public internet (RFC 6890 and its registries), or holds an IPv4 address inside. */
const notPublic = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

/**
 * @param allowed networks that may be checked although they are not public: `10.0.0.0/8`, `fd00::/8`
 * @param ownAddresses of this machine
 */
export function createGate(
  allowed: readonly string[],
  ownAddresses: () => string[] = interfaceAddresses,
): Gate {
  const exceptions = networks(allowed);
  return {
    refusesUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'It is no http or https address.';
      if (url.username !== '' || url.password !== '') return 'An address with a user name is not checked.';
      const port = portOf(url);
      if (port !== 80 && port !== 443 && port < 1024) return `Port ${port} is not checked.`;
      const host = hostOf(url);
      return isIP(host) === 0 ? null : this.refusesAddress(host, port);
    },
    refusesAddress(address, port) {
      const contains = (list: BlockList) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
      if (isIP(address) === 0) return `${address} is no address.`;
      if (contains(exceptions)) return null;
      if (contains(notPublic))
        return `${address} is not a public address, and this console does not check it.`;
      // What every visitor reaches may be checked on this machine too, but nothing that only it can reach.
      if (port !== 80 && port !== 443 && ownAddresses().includes(address))
        return `${address} is the console itself, where port ${port} is not checked.`;
      return null;
    },
    isPublic: (address) => !notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  };
}

/** The host of a URL as a resolver or a socket takes it: without brackets and without the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function networks(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [address = '', prefix = ''] = network.split('/');
    found.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return found;
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
}
