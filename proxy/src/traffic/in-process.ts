import { createCache } from '../cache/cache.ts';
import { planeLimits } from '../limits.ts';
import type { UseCounter } from '../measure/use-counter.ts';
import { createPlane } from '../plane.ts';
import { createSiteTable } from '../reload/site-table.ts';
import { boundByOpenFiles, openFilesAtMost } from '../shares/open-files.ts';
import { createGate } from '../upstream/gate.ts';
import type { Traffic, TrafficSettings } from './traffic.ts';

/** Answers the visitors in this process. */
export function createTraffic(
  settings: TrafficSettings,
  use: UseCounter,
  failed: (error: unknown) => void,
): Traffic {
  const { id, trusted, upstreams, bodyBytes, host, port } = settings;
  const table = createSiteTable();
  const cache = createCache();
  const plane = createPlane({
    ...{ table, use, cache, id, trusted, failed },
    limits: { ...boundByOpenFiles(planeLimits, openFilesAtMost()), bodyBytes },
    gate: createGate(upstreams),
    proofKey: Buffer.from(settings.proofKey, 'hex'),
  });
  return {
    table,
    listen: () =>
      new Promise((resolve, reject) => {
        plane.server.once('error', reject);
        plane.server.listen(port, host, () => {
          plane.server.off('error', reject);
          resolve();
        });
      }),
    purge: cache.purge,
    settled: async () => undefined,
    processes: () => 1,
    drain: plane.drain,
  };
}
