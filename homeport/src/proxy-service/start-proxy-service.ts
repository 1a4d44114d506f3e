import { fileURLToPath } from 'node:url';
import type { Store } from '@homeport/store';
import type { Config } from '../config/config.ts';
import type { ServiceParts } from '../services.ts';
import { followNeed } from './follow-need.ts';
import { keepService } from './keep-service.ts';
import { serviceSettings } from './service-settings.ts';

export type PlaneParts = Omit<ServiceParts, 'store'> & { open(): Promise<Store> };

/** How long the service goes on without a console that was killed. A supervisor, or a person, starts the next one in this time. */
const aloneMs = 300_000;

const serviceProgram = fileURLToPath(new URL('../../dist/proxy-service.js', import.meta.url));
/** What answers visitors in a further process: it is small. */
const workerProgram = fileURLToPath(new URL('../../dist/proxy-worker.js', import.meta.url));

type ProxyServiceBeside = {
  /** Lets the service go on without this console. */
  handOver(): void;
};

/** Starts the proxy service in this process, which does nothing else. Resolves with its address. */
export async function startProxyService({
  config,
  secrets,
  log,
  cleanup,
  open,
}: PlaneParts): Promise<string> {
  // A console has the service in another process, and does not load its code.
  const { startProxy } = await import('@homeport/proxy');
  const proxy = await startProxy({
    ...serviceSettings(config, secrets, workerProgram),
    openStore: open,
    report: (error, what) => log.warn({ err: error }, `proxy: ${what} failed`),
  });
  cleanup.add('the proxy service', () => proxy.close());
  return addressOf(config);
}

/** Runs the proxy service in a process of its own while there is a proxy. */
export async function keepProxyService({
  config,
  secrets,
  store,
  log,
  cleanup,
}: ServiceParts): Promise<ProxyServiceBeside> {
  const service = keepService({
    program: serviceProgram,
    heapMiB: config.proxy.heapMiB,
    begin: { settings: serviceSettings(config, secrets, workerProgram), storeUrl: store.url, aloneMs },
    report: ({ what, text }) => log.warn({ problem: text }, `proxy: ${what} failed`),
    portTaken: (port) =>
      log.error(
        `Port ${port} on ${config.proxy.host} is taken by another program, so no proxied domain is served. Stop that program, or choose other ports with HOMEPORT_PROXY_PORT and HOMEPORT_PROXY_CONTROL_PORT. The console goes on and keeps trying.`,
      ),
  });
  cleanup.add('the proxy service', () => service.close());
  const need = await followNeed(store, {
    needed: (isNeeded) => (isNeeded ? service.start() : service.stop()),
    failed: (error) => log.warn({ err: error }, 'proxy: looking whether there are proxies failed'),
  });
  cleanup.add('the look for proxies', () => need.close());
  return service;
}

export function addressOf({ proxy: { host, port } }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
