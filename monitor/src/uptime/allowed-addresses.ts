import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { canonicalAddress, isPublicAddress, networks } from '@homeport/contract/network/addresses';

/** Decides which addresses may be checked. Anybody with an account can name an address, and the console stands inside a private network. */
export type Gate = {
  /** Why this URL may not be requested, judged by its text. Null when it may. */
  refusesUrl(url: URL): string | null;
  /** Why this address may not be connected to. Null when it may. */
  refusesAddress(address: string, port: number): string | null;
  /** Whether this address is reached over the internet. */
  isPublic(address: string): boolean;
};

/**
 * @param allowed networks that may be checked although they are not public: `10.0.0.0/8`, `fd00::/8`
 * @param ownAddresses of this machine
 */
export function createGate(
  allowed: readonly string[],
  ownAddresses: () => string[] = interfaceAddresses,
): Gate {
  const exceptions = networks(allowed);
  const isOwn = (address: string) => ownAddresses().some((own) => canonicalAddress(own) === address);
  return {
    refusesUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return 'This is not an http or https address.';
      if (url.username !== '' || url.password !== '') return 'An address with a user name is not checked.';
      const port = portOf(url);
      if (port !== 80 && port !== 443 && port < 1024) return `Port ${port} is not checked.`;
      const host = hostOf(url);
      return isIP(host) === 0 ? null : this.refusesAddress(host, port);
    },
    refusesAddress(text, port) {
      // A socket reaches `[::ffff:192.0.2.1]` at 192.0.2.1, so every list below has to see that address.
      const address = canonicalAddress(text);
      if (address === null) return `${text} is not an address.`;
      if (exceptions.contain(address)) return null;
      if (!isPublicAddress(address))
        return `${text} is not a public address, and this console does not check it.`;
      // Every visitor reaches the websites of this machine, so they may be checked. Other ports may be open to this machine alone.
      if (port !== 80 && port !== 443 && isOwn(address))
        return `${text} is the console itself, where port ${port} is not checked.`;
      return null;
    },
    isPublic: isPublicAddress,
  };
}

/** The host of a URL in the form that a resolver or a socket takes: without brackets and without the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
}
