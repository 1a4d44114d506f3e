import type { ExposedPort } from '@homeport/contract/databases/schema';
import { addressKindOf } from '@homeport/contract/fields/server-address';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import type { Server } from '@homeport/contract/servers/schema';

/** Who reaches a database that is exposed on an address of its server. */
export function outsideOf(
  address: ExposedPort['address'],
  server: Pick<Server, 'name'>,
): { label: string; help: string } {
  if (address === null)
    return {
      label: 'From anywhere',
      help: 'Uses the server’s address and the mapped port. Docker opens the port past the server’s firewall.',
    };
  if (isLoopbackAddress(address))
    return {
      label: `From programs on ${server.name}`,
      help: 'Uses the loopback address and the mapped port. No other machine reaches it.',
    };
  return {
    label: `From the network of ${address}`,
    help: `Uses this private address and the mapped port. ${whoReaches(address)}`,
  };
}

/** Docker leads an IPv6 address by a program on the server, which the server’s firewall stands before. */
export const whoReaches = (address: string): string =>
  addressKindOf(address) === 'ipv6'
    ? 'Machines of the same private network reach it where the server’s firewall lets them.'
    : 'Machines of the same private network reach it.';
