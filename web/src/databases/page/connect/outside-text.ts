import type { ExposedPort } from '@homeport/contract/databases/schema';
import { loopbackAddress } from '@homeport/contract/network/loopback';
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
  if (address === loopbackAddress)
    return {
      label: `From programs on ${server.name}`,
      help: 'Uses the loopback address and the mapped port. No other machine reaches it.',
    };
  return {
    label: `From the network of ${address}`,
    help: 'Uses this private address and the mapped port. Machines of the same network reach it.',
  };
}
