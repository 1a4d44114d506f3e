import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { canonicalAddress, isPublicAddress, networks } from '@homeport/contract/network/addresses';

export type Gate = {
  /** Whether an upstream may have this address. */
  allows(address: string): boolean;
  /** Resolves a name and hands on only the allowed addresses, so that the address that was checked is the one that is dialled. */
  lookup: LookupFunction;
};

/** An upstream's address is one that this plane does not connect to. */
export class PrivateAddress extends Error {
  readonly code = 'private_address';
}

/** The metadata services of clouds hand out credentials to everybody on the machine. */
const neverAllowed = networks(['169.254.0.0/16', 'fd00:ec2::254/128', '100.100.100.200/32']);

/**
 * Decides which addresses may be upstreams. Anybody with an account can name one, and the plane stands inside a private network.
 *
 * @param allowPrivate networks that may be reached although they are not public
 */
export function createGate(
  allowPrivate: readonly string[],
  resolve: typeof systemLookup = systemLookup,
): Gate {
  const exceptions = networks(allowPrivate);
  const allows = (text: string) => {
    const address = canonicalAddress(text);
    if (address === null || neverAllowed.contain(address)) return false;
    return isPublicAddress(address) || exceptions.contain(address);
  };
  return {
    allows,
    lookup(hostname, options, done) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        const rest = addresses.filter(({ address }) => allows(address));
        const [first] = rest;
        if (first === undefined) return done(new PrivateAddress(), []);
        if (options.all) done(null, rest);
        else done(null, first.address, first.family);
      });
    },
  };
}

/** Whether a target is an address by itself. Such a target never reaches `lookup`. */
export function isAddress(hostname: string): boolean {
  return isIP(hostname) !== 0;
}
