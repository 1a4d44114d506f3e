import { createHash, createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addPurge, type Store } from '@homeport/store';
import { createControlServer } from './control/control-server.ts';
import { planeLimits } from './limits.ts';
import { flushUse } from './measure/flush-use.ts';
import { createUseCounter, type UseCounter } from './measure/use-counter.ts';
import { askArrival } from './ownership/ask-arrival.ts';
import { startDomainChecks } from './ownership/check-domains.ts';
import { askDns } from './ownership/look-up.ts';
import { readCertificate } from './ownership/read-certificate.ts';
import { followStore } from './reload/follow-store.ts';
import { createTraffic } from './traffic/in-process.ts';
import type { Traffic, TrafficSettings } from './traffic/traffic.ts';
import { createWorkers } from './traffic/workers.ts';
import { createGate, type GateSettings } from './upstream/gate.ts';
import { createPools } from './upstream/pools.ts';

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
  /** Whom this plane believes who asks. `secret` is what a front shows in a header to be one. */
  trusted: { networks: readonly string[]; cdnNetworks: readonly string[]; secret: string | null };
  bodyBytes: number | null;
  /** Processes of their own for the visitors, and their program; null: this process answers. */
  workers: { count: number; program: string; heapMiB: number } | null;
  /** Asked for the records of domains, as `address` or `address:port`. None: those of the system. */
  dnsServers: readonly string[];
  /** The name of the machine that serves proxied domains. Null when it has none. */
  proxyName: string | null;
  /** Only this machine reaches the plane. */
  isLocal: boolean;
  /** Something failed that will be tried again. */
  report(error: unknown, what: string): void;
  /** Done when everything else is ready, so that visitors wait for a port no longer than they must. */
  beforeListening?(): Promise<void>;
  /** Another process of this machine asks for the ports. True: this service ends. */
  release?(): boolean;
};

export type ProxyService = {
  close(): Promise<void>;
};

/** A store that does not answer holds visitors up for this long. Then they are served from the snapshot. */
const firstTryMs = 2_000;

/** Starts the data plane on a port of its own, in this process or in several, and its control listener in this one. */
export async function startProxy(deps: ProxyDeps): Promise<ProxyService> {
  const { report, secret } = deps;
  const use = createUseCounter(Date.now);
  const traffic = openTraffic(deps, use, report);
  const { table } = traffic;
  const follower = await followStore({
    ...{ table, report, clock: Date.now },
    openStore: deps.openStore,
    purge: ({ startsWith }) =>
      void traffic.purge(startsWith).catch((error: unknown) => report(error, 'purging')),
    snapshotFile: join(deps.dataFolder, 'proxies.snapshot'),
  });
  const control = createControlServer({
    token: controlToken(secret),
    allows: (domain) => table.find(domain) !== null,
    release: () => deps.release?.() ?? false,
    state: () => ({ ...follower.state(), processes: traffic.processes() }),
    async reload() {
      const state = await follower.reload();
      await traffic.settled();
      return { ...state, processes: traffic.processes() };
    },
    purge: async (startsWith) => {
      const purged = await traffic.purge(startsWith);
      const store = follower.store();
      // The other planes hear of it through the store. This one hears of it once more, which costs nothing.
      if (purged !== null && store !== null) await addPurge(store.db, startsWith, Date.now());
      return purged;
    },
  });
  const flushing = flushUse({ use, report, store: follower.store, clock: Date.now });
  const gate = createGate(deps.upstreams);
  const pools = createPools(gate, planeLimits);
  const checking = startDomainChecks({
    ...{ report, store: follower.store, clock: Date.now },
    parts: {
      dns: askDns(5_000, deps.dnsServers),
      arrives: askArrival(pools, proofKey(secret)),
      readCertificate: readCertificate(gate),
      proxyName: deps.proxyName,
      isLocal: deps.isLocal,
    },
  });
  // A visitor of a site that is newer than the snapshot would be refused until the store is read.
  await Promise.race([follower.firstTry, pause(firstTryMs, undefined, { ref: false })]);
  await deps.beforeListening?.();
  await traffic.listen();
  await listen(control, deps.control.host, deps.control.port);
  return {
    async close() {
      // Both ports are free at once: another service may wait for them.
      const drained = traffic.drain();
      const closed = new Promise((resolve) => control.close(resolve));
      await checking.stop();
      await pools.close();
      await drained;
      control.closeAllConnections();
      await closed;
      await flushing.close();
      await follower.close();
    },
  };
}

function openTraffic(
  { host, port, secret, trusted, upstreams, bodyBytes, workers }: ProxyDeps,
  use: UseCounter,
  report: (error: unknown, what: string) => void,
): Traffic {
  const settings: TrafficSettings = {
    ...{ host, port, bodyBytes, id: `homeport-${derive(secret, 'id').slice(0, 8)}` },
    proofKey: proofKey(secret).toString('hex'),
    trusted: {
      networks: [...trusted.networks],
      cdnNetworks: [...trusted.cdnNetworks],
      secretHash: trusted.secret === null ? null : createHash('sha256').update(trusted.secret).digest('hex'),
    },
    upstreams: {
      allowPrivate: [...upstreams.allowPrivate],
      own: { ports: [...upstreams.own.ports], names: [...upstreams.own.names] },
    },
  };
  if (workers !== null) return createWorkers({ settings, use, report, ...workers });
  return createTraffic(settings, use, (error) => report(error, 'answering a request'));
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
