import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { addPurge, type Store } from '@homeport/store';
import type { Logger } from 'pino';
import { createCache } from './cache/cache.ts';
import { createControlServer } from './control/control-server.ts';
import { planeLimits } from './limits.ts';
import { flushUse } from './measure/flush-use.ts';
import { createUseCounter } from './measure/use-counter.ts';
import { askArrival } from './ownership/ask-arrival.ts';
import { startDomainChecks } from './ownership/check-domains.ts';
import { askSystem } from './ownership/look-up.ts';
import { readCertificate } from './ownership/read-certificate.ts';
import { createPlane } from './plane.ts';
import { followStore } from './reload/follow-store.ts';
import { createSiteTable } from './reload/site-table.ts';
import { createGate, type GateSettings } from './upstream/gate.ts';

export type ProxyDeps = {
  host: string;
  port: number;
  control: { host: string; port: number };
  /** Opens the store, or fails while it is unreachable. The plane serves from its snapshot until then. */
  openStore(): Promise<Store>;
  dataFolder: string;
  /** The console's secret: the service token and the proof of arrival come from it. */
  secret: string;
  /** Which addresses may be upstreams. */
  upstreams: GateSettings;
  trusted: { networks: readonly string[]; cdnNetworks: readonly string[] };
  bodyBytes: number | null;
  /** The name of the machine that serves proxied domains. Null when it has none. */
  proxyName: string | null;
  /** Only this machine reaches the plane. */
  isLocal: boolean;
  log: Logger;
};

export type ProxyService = {
  close(): Promise<void>;
};

/** Starts the data plane on a port of its own, and its control listener. */
export async function startProxy(deps: ProxyDeps): Promise<ProxyService> {
  const { log, secret } = deps;
  const report = (error: unknown, what: string) => log.warn({ err: error }, `proxy: ${what} failed`);
  const table = createSiteTable();
  const use = createUseCounter(Date.now);
  const cache = createCache();
  const follower = await followStore({
    ...{ table, report, clock: Date.now },
    openStore: deps.openStore,
    purge: ({ startsWith }) =>
      void cache.purge(startsWith).catch((error: unknown) => report(error, 'purging')),
    snapshotFile: join(deps.dataFolder, 'proxies.snapshot'),
  });
  const gate = createGate(deps.upstreams);
  const plane = createPlane({
    ...{ table, use, cache, id: `homeport-${derive(secret, 'id').slice(0, 8)}`, trusted: deps.trusted },
    limits: { ...planeLimits, bodyBytes: deps.bodyBytes },
    gate,
    proofKey: proofKey(secret),
    failed: (error) => report(error, 'answering a request'),
  });
  const control = createControlServer({
    token: controlToken(secret),
    allows: (domain) => table.find(domain) !== null,
    state: follower.state,
    reload: follower.reload,
    purge: async (startsWith) => {
      const purged = await cache.purge(startsWith);
      const store = follower.store();
      // The other planes hear of it through the store. This one hears of it once more, which costs nothing.
      if (purged !== null && store !== null) await addPurge(store.db, startsWith, Date.now());
      return purged;
    },
  });
  const flushing = flushUse({ use, report, store: follower.store, clock: Date.now });
  const checking = startDomainChecks({
    ...{ report, store: follower.store, clock: Date.now },
    parts: {
      dns: askSystem(5_000),
      arrives: askArrival(plane.pools, proofKey(secret)),
      readCertificate: readCertificate(gate),
      proxyName: deps.proxyName,
      isLocal: deps.isLocal,
    },
  });
  await listen(plane.server, deps.host, deps.port);
  await listen(control, deps.control.host, deps.control.port);
  return {
    async close() {
      await checking.stop();
      await plane.drain();
      control.closeAllConnections();
      await new Promise((resolve) => control.close(resolve));
      await flushing.close();
      await follower.close();
    },
  };
}

/** The token of the control listener's calls that change something. */
export function controlToken(secret: string): string {
  return derive(secret, 'control');
}

/** The key of the answer that proves that requests for a domain arrive here. The same for every plane of a console. */
export function proofKey(secret: string): Buffer {
  return Buffer.from(derive(secret, 'arrival'), 'hex');
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`homeport proxy ${purpose}`).digest('hex');
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
