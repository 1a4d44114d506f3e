import { createGate, type Gate, websitePorts } from '@homeport/egress';
import type { Resolver } from './resolver.ts';

export type CheckRules = {
  /** Networks that may be checked although they are not public: `10.0.0.0/8`, `fd00::/8` */
  allowedNetworks: readonly string[];
  /** Ports of this machine at which the console itself answers. */
  consolePorts: readonly number[];
};

/**
 * The gate before checks. A name that leads to a refused address among others is not checked at all: the result would speak of half
 * of the website.
 *
 * @param isOwn whether an address is one of this machine
 */
export function createCheckGate(
  { allowedNetworks, consolePorts }: CheckRules,
  resolver: Resolver,
  isOwn?: (address: string) => boolean,
): Gate {
  const console = { ports: consolePorts, names: [] };
  return createGate(
    { exceptions: allowedNetworks, openOwnPorts: websitePorts, console, mixedName: 'refuse' },
    (name, _options, done) => {
      resolver.resolve(name).then(
        (addresses) => done(null, addresses),
        (error: Error) => done(error, []),
      );
    },
    isOwn,
  );
}
