import { randomInt } from 'node:crypto';
import { exposedPorts } from '@homeport/contract/databases/facts';
import type { ExposureOffer } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import { loopbackAddress } from '@homeport/contract/network/loopback';
import { sockets } from '@homeport/dokku';
import type { DatabaseRow } from '../../records/database-record.ts';
import type { Run } from '../../remote/run-command.ts';

/**
 * The addresses of the server that a database can be exposed on, and a free port for each port of its container. `others`:
 * the databases of this server; the ports of a stopped one are free now and taken when it starts.
 */
export async function offerExposure(
  run: Run,
  database: Pick<DatabaseRow, 'type'>,
  others: readonly Pick<DatabaseRow, 'ports'>[],
): Promise<ExposureOffer> {
  const [own, taken] = [await readOwnAddresses(run), await readTakenPorts(run)];
  for (const { ports } of others) for (const { hostPort } of ports) taken.add(hostPort);
  return {
    addresses: [
      { address: loopbackAddress, kind: 'loopback' },
      ...own
        .filter((address) => !isPublicAddress(address))
        .map((address) => ({ address, kind: 'private' as const })),
      { address: null, kind: 'everywhere' },
    ],
    ports: databaseTypeOf(database.type).ports.map(({ number }) => {
      const hostPort = freePort(taken);
      taken.add(hostPort);
      return { containerPort: number, hostPort };
    }),
  };
}

/** The addresses of the server in their one spelling, without loopback and without the networks of its containers. */
export async function readOwnAddresses(run: Run): Promise<string[]> {
  const ran = await run(sockets.addresses(), { accept: 'any', quiet: true });
  if (ran.exitCode !== 0) return [];
  return [...new Set(sockets.readAddresses(ran).flatMap((address) => canonicalAddress(address) ?? []))];
}

/** The ports that something listens on now, at any address. */
export const readTakenPorts = async (run: Run): Promise<Set<number>> =>
  new Set(sockets.readListening(await run(sockets.listening(), { accept: sockets.isAnswer, quiet: true })));

function freePort(taken: ReadonlySet<number>): number {
  const { first, last } = exposedPorts;
  const count = last - first + 1;
  const begin = randomInt(count);
  for (let step = 0; step < count; step++) {
    const port = first + ((begin + step) % count);
    if (!taken.has(port)) return port;
  }
  return first + begin;
}
