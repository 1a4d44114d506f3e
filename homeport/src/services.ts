import { type ApiConfiguration, createApi } from '@homeport/api';
import { createMonitor } from '@homeport/monitor';
import type { Store } from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Cleanup } from './shutdown.ts';
import { version } from './version.ts';
import { serveWebPage } from './web-page.ts';

export type ServiceParts = {
  config: Config;
  secrets: Secrets;
  store: Store;
  log: Logger;
  cleanup: Cleanup;
};

/** Adds the chosen services that share the console's port. */
export async function addServices(fastify: FastifyInstance, parts: ServiceParts): Promise<void> {
  const { config, secrets, store, log, cleanup } = parts;
  const { services } = config;
  if (services.has('api') || services.has('monitor')) {
    // A monitor without an api beside it still has to know whose session a request carries: only the api can tell.
    const api = await createApi({
      store,
      configuration: apiConfiguration(config, secrets),
      log,
      announce: console.log,
      clock: Date.now,
    });
    cleanup.add('the api', () => api.close());
    if (services.has('api')) await api.register(fastify);
    if (services.has('monitor')) {
      const monitor = await createMonitor({ store, identify: api.identify, log });
      cleanup.add('the monitor', () => monitor.close());
      await monitor.register(fastify);
    }
  }
  if (services.has('web')) await serveWebPage(fastify);
}

function apiConfiguration(config: Config, { secret, smtpUrl, databaseUrl }: Secrets): ApiConfiguration {
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
    pings: config.pingTargets ?? {},
    sole: databaseUrl === undefined,
  };
}
