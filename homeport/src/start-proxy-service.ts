import { fileURLToPath } from 'node:url';
import { startProxy } from '@homeport/proxy';
import type { Store } from '@homeport/store';
import { consolePorts } from './config/config.ts';
import type { ServiceParts } from './services.ts';

export type PlaneParts = Omit<ServiceParts, 'store'> & { open(): Promise<Store> };

export const controlHost = '127.0.0.1';
/** What answers visitors in a process of its own: it is small, and built beside the server. */
const workerProgram = fileURLToPath(new URL('../dist/proxy-worker.js', import.meta.url));

/** Starts the proxy service. Resolves with its address. */
export async function startProxyService({
  config,
  secrets,
  log,
  cleanup,
  open,
}: PlaneParts): Promise<string> {
  const { host, port, controlPort, processes, trusted, allowPrivate, bodyBytes, dnsServers } = config.proxy;
  const proxy = await startProxy({
    ...{
      host,
      port,
      trusted: { ...trusted, secret: secrets.proxyFrontSecret ?? null },
      bodyBytes,
      dnsServers,
      log,
      openStore: open,
      dataFolder: config.dataFolder,
      secret: secrets.secret,
    },
    workers: processes > 1 ? { count: processes, program: workerProgram } : null,
    ...{ proxyName: config.proxy.name ?? null, isLocal: config.loopbackOnly },
    control: { host: controlHost, port: controlPort },
    upstreams: {
      allowPrivate,
      own: { ports: consolePorts(config), names: [new URL(config.publicUrl).hostname] },
    },
  });
  cleanup.add('the proxy service', () => proxy.close());
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
