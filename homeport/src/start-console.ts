import { fileURLToPath } from 'node:url';
import { serverOptions } from '@homeport/api';
import type { Monitor } from '@homeport/monitor';
import { startProxy } from '@homeport/proxy';
import { openStore, type Store } from '@homeport/store';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addArmour } from './armour.ts';
import { leadToOrigin } from './canonical-origin.ts';
import type { Config } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { readSecrets } from './config/secrets.ts';
import type { StandInName } from './demo/stand-in-report.ts';
import { startDemo } from './demo/start-demo.ts';
import { startStandIn } from './demo/start-stand-in.ts';
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
  if (services.has('proxy')) {
    await refuseTakenPort(proxy.host, proxy.port, 'HOMEPORT_PROXY_PORT');
    await refuseTakenPort(controlHost, proxy.controlPort, 'HOMEPORT_PROXY_CONTROL_PORT');
  }

  const report = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost');
  const { DATABASE_URL: url } = environment;
  const open = () =>
    openStore({ report, ...(url === undefined ? { dataFolder: config.dataFolder } : { url }) });
  const secrets = await readSecrets(environment, config.dataFolder);
  // A data plane alone serves from its snapshot while the store of another machine is away.
  if (!onConsolePort && url !== undefined) return startPlaneAlone({ config, secrets, log, cleanup, open });
  const store = await open();
  cleanup.add('the store', () => store.close());

  const parts = { ...(await withStandIns({ config, secrets, log, cleanup })), store, log, cleanup };
  const proxyAddress = services.has('proxy')
    ? await startProxyService({ config, secrets, log, cleanup, open: async () => store })
    : undefined;
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

/** The settings, which name the demo's stand-ins of services that nobody has set up. */
async function withStandIns({
  config,
  secrets,
  log,
  cleanup,
}: StandInParts): Promise<Pick<ServiceParts, 'config' | 'secrets'>> {
  if (!config.demo?.sandbox) return { config, secrets };
  const start = async (name: StandInName, port: number) => {
    const standIn = await startStandIn(name, port, (error) => log.error({ err: error }, 'the demo goes on'));
    cleanup.add(`the demo’s stand-in ${name}`, () => standIn.close());
    return standIn;
  };
  const [cloudflare, github] = await Promise.all([
    config.cloudflareUrl === undefined ? start('cloudflare', 0) : undefined,
    config.github === undefined ? start('github', config.port + demoGithubAbove) : undefined,
  ]);
  const app = github?.app ?? null;
  return {
    config: {
      ...config,
      cloudflareUrl: cloudflare?.url ?? config.cloudflareUrl,
      github: github && app ? { clientId: app.clientId, site: github.url } : config.github,
    },
    secrets: app ? { ...secrets, githubClientSecret: app.clientSecret } : secrets,
  };
}

type StandInParts = Pick<ServiceParts, 'config' | 'secrets' | 'log' | 'cleanup'>;

/** The port of the demo's GitHub, counted from the console's own. */
const demoGithubAbove = 20;

type PlaneParts = Omit<ServiceParts, 'store'> & { open(): Promise<Store> };

const controlHost = '127.0.0.1';
/** What answers visitors in a process of its own: it is small, and built beside the server. */
const workerProgram = fileURLToPath(new URL('../dist/proxy-worker.js', import.meta.url));

async function startPlaneAlone(parts: PlaneParts): Promise<StartedConsole> {
  let opened: Store | undefined;
  const open = async () => {
    opened = await parts.open();
    return opened;
  };
  parts.cleanup.add('the store', () => opened?.close());
  const proxyAddress = await startProxyService({ ...parts, open });
  return { proxyAddress, address: undefined, demo: undefined, lost: new Promise(() => {}) };
}

async function startProxyService({ config, secrets, log, cleanup, open }: PlaneParts): Promise<string> {
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
      own: { ports: [config.port, controlPort], names: [new URL(config.publicUrl).hostname] },
    },
  });
  cleanup.add('the proxy service', () => proxy.close());
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
