import { type ApiConfiguration, createApi, serverOptions } from '@homeport/api';
import { startProxy } from '@homeport/proxy';
import { openStore } from '@homeport/store';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addArmour } from './armour.ts';
import { leadToOrigin } from './canonical-origin.ts';
import type { Config } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { readSecrets, type Secrets } from './config/secrets.ts';
import { addHealth } from './health.ts';
import type { Cleanup } from './shutdown.ts';
import { explainListenError, refuseTakenPort } from './taken-port.ts';
import { version } from './version.ts';
import { serveWebPage } from './web-page.ts';

export type StartedConsole = {
  /** Where the console answers; undefined where only the proxy service runs. */
  address: string | undefined;
  proxyAddress: string | undefined;
  /** Settles when the console cannot go on: the embedded PostgreSQL ended. */
  lost: Promise<Error>;
};

/**
 * Starts the store, then the chosen services on it. What it started is added to `cleanup` at once, so that a start that
 * fails half-way leaves nothing running. Throws `StartError`, `StoreError` and `ConfigError`.
 */
export async function startConsole(
  config: Config,
  environment: Environment,
  log: Logger,
  cleanup: Cleanup,
): Promise<StartedConsole> {
  const { services } = config;
  const onConsolePort = ['api', 'monitor', 'web'].some((name) => services.has(name as 'api'));
  if (onConsolePort) await refuseTakenPort(config.host, config.port, '--port');
  if (services.has('proxy'))
    await refuseTakenPort(config.proxy.host, config.proxy.port, 'HOMEPORT_PROXY_PORT');

  const report = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost');
  const store = await openStore(
    environment.DATABASE_URL === undefined
      ? { dataFolder: config.dataFolder, report }
      : { url: environment.DATABASE_URL, report },
  );
  cleanup.add('the store', () => store.close());
  const secrets = await readSecrets(environment, config.dataFolder);

  let proxyAddress: string | undefined;
  if (services.has('proxy')) {
    const proxy = await startProxy(config.proxy);
    cleanup.add('the proxy service', () => proxy.close());
    proxyAddress = `http://${bracketed(config.proxy.host)}:${proxy.port}`;
  }
  if (!onConsolePort) return { address: undefined, proxyAddress, lost: store.lost };

  const fastify: FastifyInstance = Fastify({
    ...serverOptions(log),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // Open event streams would keep the console alive for as long as a page is open.
    forceCloseConnections: true,
  });
  addArmour(fastify, config.publicUrl);
  leadToOrigin(fastify, config.publicUrl);
  addHealth(fastify, store, { version, services: [...services] });
  if (services.has('api')) {
    const api = await createApi({
      store,
      configuration: apiConfiguration(config, secrets),
      log,
      announce: console.log,
      clock: Date.now,
    });
    cleanup.add('the api', () => api.close());
    await api.register(fastify);
  }
  if (services.has('web')) await serveWebPage(fastify);
  cleanup.add('the web server', () => fastify.close());
  await fastify
    .listen({ host: config.host, port: config.port })
    .catch(async (error: NodeJS.ErrnoException) => {
      throw await explainListenError(error, config.host, config.port, '--port');
    });
  return { address: config.publicUrl, proxyAddress, lost: store.lost };
}

function apiConfiguration(config: Config, { secret, smtpUrl }: Secrets): ApiConfiguration {
  const { mailFrom, publicUrl, promos, allowPrivateTargets } = config;
  return {
    version,
    publicUrl,
    appDomain: config.appDomain ?? null,
    defaultSubdomain: config.defaultSubdomain,
    signUps: config.signups,
    promos,
    demo: false,
    smtp: smtpUrl && mailFrom ? { url: smtpUrl, from: mailFrom } : null,
    secret,
    loopback: config.loopbackOnly,
    allowPrivateTargets,
  };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
