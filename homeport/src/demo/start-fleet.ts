import { type Monitor, simulateFleet } from '@homeport/monitor';
import type { Store } from '@homeport/store';
import type { Logger } from 'pino';
import type { Cleanup } from '../shutdown.ts';
import type { FirstAccount } from './first-account.ts';
import { describeSimulated } from './simulated-fleet.ts';

type Parts = {
  store: Store;
  monitor: Pick<Monitor, 'ingest'>;
  log: Logger;
  cleanup: Cleanup;
  announce: (text: string) => void;
};

/** Gives the account simulated servers that report until the console ends. Five hundred new servers take some seconds. */
export async function startFleet(
  { store, monitor, log, cleanup, announce }: Parts,
  { id: ownerId, name }: FirstAccount,
  count: number,
): Promise<void> {
  const { ingest } = monitor;
  announce(`Demo: ${count} simulated servers are being prepared.`);
  const fleet = await simulateFleet({
    ...{ store, ingest, ownerId, count, log },
    describe: describeSimulated,
    onAppeared: () => store.notify('changed', { owner: ownerId, topic: 'servers', id: null }),
  });
  cleanup.add('the simulated servers', () => fleet.close());
  announce(`Demo: ${count} simulated servers are there for ${name}.`);
}
