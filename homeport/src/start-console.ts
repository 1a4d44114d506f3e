import { serverOptions } from '@homeport/api';
import type { Monitor } from '@homeport/monitor';
import { startProxy } from '@homeport/proxy';
import { openStore } from '@homeport/store';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addArmour } from './armour.ts';
import { leadToOrigin } from './canonical-origin.ts';
import type { Config } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { readSecrets } from './config/secrets.ts';
import { startDemoCloudflare } from './demo/demo-cloudflare.ts';
import { startDemo } from './demo/start-demo.ts';
import { addHealth } from './health.ts';
import { watchLoop } from './loop-watch.ts';
import { addServices, type ServiceParts } from './services.ts';
import type { Cleanup } from './shutdown.ts';
import { explainListenError, refuseTakenPort } from './taken-port.ts';
import { version } from './version.ts';

export type StartedConsole = {
  /** The console's address. Undefined when only the proxy service runs. */
  address: string | undefined;
  proxyAddress: string | undefined;
  /** A demo's text for the person who started it. Undefined without a demo. */
  demo: string | undefined;
  /** Settles when the console cannot go on: the embedded PostgreSQL ended. */
  lost: Promise<Error>;
};

/**
 * Starts the store, then the chosen services. Each started part is added to `cleanup` at once, so that a failed start leaves
 * nothing running. Throws `StartError`, `StoreError` and `ConfigError`.
 */
export async function startConsole(
  config: Config,
  environment: Environment,
  log: Logger,
  cleanup: Cleanup,
): Promise<StartedConsole> {
  const { services, host, port, proxy } = config;
  const onConsolePort = services.has('api') || services.has('monitor') || services.has('web');
  if (onConsolePort) await refuseTakenPort(host, port, '--port');
  if (services.has('proxy')) await refuseTakenPort(proxy.host, proxy.port, 'HOMEPORT_PROXY_PORT');

  const report = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost');
  const { DATABASE_URL: url } = environment;
  const store = await openStore({
    report,
    ...(url === undefined ? { dataFolder: config.dataFolder } : { url }),
  });
  cleanup.add('the store', () => store.close());
  const secrets = await readSecrets(environment, config.dataFolder);

  const cloudflare =
    config.demo?.sandbox && config.cloudflareUrl === undefined ? await startDemoCloudflare() : undefined;
  if (cloudflare) cleanup.add('the demo’s Cloudflare', () => cloudflare.close());
  const cloudflareUrl = cloudflare?.url ?? config.cloudflareUrl;
  const parts = { config: { ...config, cloudflareUrl }, secrets, store, log, cleanup };
  const proxyAddress = services.has('proxy') ? await startProxyService(config.proxy, cleanup) : undefined;
  const monitor = onConsolePort ? await startWebServer(parts) : undefined;
  // The demo starts last, because its agent reports to the console at once.
  const { demo } = config;
  return {
    proxyAddress,
    address: onConsolePort ? config.publicUrl : undefined,
    demo: demo && monitor ? await startDemo({ ...parts, demo, monitor, announce: console.log }) : undefined,
    lost: store.lost,
  };
}

async function startProxyService(at: Config['proxy'], cleanup: Cleanup): Promise<string> {
  const proxy = await startProxy(at);
  cleanup.add('the proxy service', () => proxy.close());
  return `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
}

async function startWebServer(parts: ServiceParts): Promise<Monitor | undefined> {
  const { config, store, log, cleanup } = parts;
  const fastify: FastifyInstance = Fastify({
    ...serverOptions(log),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // Open event streams would keep the console alive while a page is open.
    forceCloseConnections: true,
  });
  addArmour(fastify, config.publicUrl);
  leadToOrigin(fastify, config.publicUrl);
  const loop = watchLoop(log);
  cleanup.add('the watch of the event loop', () => loop.stop());
  addHealth(fastify, store, { version, services: [...config.services] }, loop);
  const monitor = await addServices(fastify, parts);
  cleanup.add('the web server', () => fastify.close());
  await fastify
    .listen({ host: config.host, port: config.port })
    .catch(async (error: NodeJS.ErrnoException) => {
      throw await explainListenError(error, config.host, config.port, '--port');
    });
  return monitor;
}
