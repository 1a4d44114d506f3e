import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { canonicalAddress, isPublicAddress, networks } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';

export type Gate = {
  /** Whether an upstream may have this address and port. */
  allows(address: string, port: number): boolean;
  /** Whether an upstream may have this name. */
  allowsName(hostname: string): boolean;
  /** Resolves a name and hands on only the allowed addresses, so that the address that was checked is the one that is dialled. */
  lookupFor(port: number): LookupFunction;
};

export type GateSettings = {
  /** Networks that may be reached although they are not public. */
  allowPrivate: readonly string[];
  /** Ports of this machine that belong to the console, and its own names. */
  own: { ports: readonly number[]; names: readonly string[] };
};

/** An upstream's address is one that this plane does not connect to. */
export class PrivateAddress extends Error {
  readonly code = 'private_address';
}

/** The metadata services of clouds hand out credentials to everybody on the machine. */
const neverAllowed = networks(['169.254.0.0/16', 'fd00:ec2::254/128', '100.100.100.200/32']);

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Decides which addresses may be upstreams. Anybody with an account can name one, and the plane stands inside a private network. */
export function createGate({ allowPrivate, own }: GateSettings, resolve: ResolveAll = systemLookup): Gate {
  const exceptions = networks(allowPrivate);
  const ports = new Set(own.ports);
  const names = new Set(own.names);
  const allows = (text: string, port: number) => {
    const address = canonicalAddress(text);
    if (address === null || neverAllowed.contain(address)) return false;
    if (ports.has(port) && isOfThisMachine(address)) return false;
    return isPublicAddress(address) || exceptions.contain(address);
  };
  return {
    allows,
    allowsName: (hostname) => !names.has(hostname),
    lookupFor: (port) => (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        const rest = addresses.filter(({ address }) => allows(address, port));
        const [first] = rest;
        if (first === undefined) return done(new PrivateAddress(), []);
        if (options.all) done(null, rest);
        else done(null, first.address, first.family);
      });
    },
  };
}

function isOfThisMachine(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  return Object.values(networkInterfaces()).some((cards) =>
    cards?.some((card) => canonicalAddress(card.address) === address),
  );
}

/** Whether a target is an address by itself. Such a target never reaches `lookup`. */
export function isAddress(hostname: string): boolean {
  return isIP(hostname) !== 0;
}
