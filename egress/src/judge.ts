import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import { embeddedAddress } from './embedded-address.ts';
import { readExceptions } from './exceptions.ts';
import { neverAllowed } from './never.ts';
import { createOwnAddresses } from './own-addresses.ts';
import type { Refusal } from './refusal.ts';

export type Rules = {
  /** Networks that may be reached although they are not public. */
  exceptions: readonly string[];
  /** Ports at which this machine's own address may be reached without an exception that means this machine. */
  openOwnPorts: readonly number[];
  /** Where the console itself answers. */
  console: { ports: readonly number[]; names: readonly string[] };
};

/** Ports that every visitor reaches anyway: those of websites. */
export const websitePorts: readonly number[] = [80, 443];
/** The port at which a machine lets people log in. */
export const loginPorts: readonly number[] = [22];

export type Judge = (address: string, port: number) => Refusal | null;

/**
 * Decides about one address and port. Anybody with an account can name an address, and the console stands inside a private network
 * and behind this machine's firewall.
 *
 * @param isOwn whether an address is one of this machine
 */
export function createJudge(
  { exceptions, openOwnPorts, console }: Rules,
  isOwn: (address: string) => boolean = createOwnAddresses(),
): Judge {
  const excepted = readExceptions(exceptions);

  function kindOf(address: string, port: number): Refusal['kind'] | null {
    if (neverAllowed.contain(address)) return 'never';
    if (isOwn(address)) {
      if (console.ports.includes(port)) return 'console';
      if (!openOwnPorts.includes(port) && !excepted.nameThisMachine(address))
        return isPublicAddress(address) || excepted.contain(address) ? 'own_port' : 'private';
    }
    return isPublicAddress(address) || excepted.contain(address) ? null : 'private';
  }

  return (text, port) => {
    const address = canonicalAddress(text);
    if (address === null) return { kind: 'not_an_address', text, port };
    const embedded = embeddedAddress(address);
    // A gateway of such an address connects to the IPv4 address inside it, so both have to be allowed.
    const kind = (embedded === null ? null : kindOf(embedded, port)) ?? kindOf(address, port);
    return kind === null ? null : { kind, text, port };
  };
}
