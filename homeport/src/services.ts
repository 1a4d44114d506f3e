import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiConfiguration, createApi, createIdentifier, type Identifier } from '@homeport/api';
import { createMonitor, type Monitor } from '@homeport/monitor';
import { type KeptCluster, listKept, pruneKept, repeatWork, type Store } from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openBackupFolder } from './archive/backup-folder.ts';
import { type Config, consolePorts, everyNetwork } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Cleanup } from './shutdown.ts';
import { commit, version } from './version.ts';
import { serveWebPage } from './web-page.ts';

export type ServiceParts = {
  config: Config;
  secrets: Secrets;
  store: Store;
  log: Logger;
  cleanup: Cleanup;
};

/** Adds the chosen services that share the console's port. Resolves with the monitor if it is chosen. */
export async function addServices(
  fastify: FastifyInstance,
  parts: ServiceParts,
): Promise<Monitor | undefined> {
  const { services } = parts.config;
  const api = services.has('api') ? await addApi(fastify, parts) : undefined;
  const monitor = services.has('monitor')
    ? await addMonitor(fastify, parts, api ?? createIdentifierOnly(parts))
    : undefined;
  if (services.has('web'))
    await serveWebPage(fastify, { github: parts.config.github.clientId !== undefined });
  return monitor;
}

async function addApi(fastify: FastifyInstance, parts: ServiceParts): Promise<Identifier> {
  const { config, secrets, store, log, cleanup } = parts;
  const configuration = apiConfiguration(config, secrets);
  const backups = openBackupFolder({
    path: config.backups.folder,
    usualRecipient: config.backups.recipient,
    copyTo: config.backups.copyTo,
    programs: config.postgresPrograms,
    ...{ storeUrl: store.url, secret: secrets.secret, scratch: join(config.dataFolder, 'proof') },
  });
  const api = await createApi({
    ...{ store, configuration, log, backups, announce: console.log, clock: Date.now },
    postgres: {
      programs: config.postgresPrograms ?? null,
      kept: async () =>
        (await listKept(config.dataFolder)).map((each) => describeKept(config.dataFolder, each)),
    },
  });
  cleanup.add('the api', () => api.close());
  await api.register(fastify);
  if (secrets.databaseUrl === undefined) keepPruning(parts);
  return api;
}

/** The data of an older PostgreSQL stay for a while after their move, and go by themselves. */
function keepPruning({ config: { dataFolder }, log, cleanup }: ServiceParts): void {
  const prune = repeatWork(
    'stale',
    () =>
      pruneKept(dataFolder, Date.now(), (name) =>
        log.info({ folder: join(dataFolder, name) }, 'the data of an older PostgreSQL are removed'),
      ),
    (error) => log.warn({ err: error }, 'the data of an older PostgreSQL could not be removed'),
  );
  cleanup.add('the removal of older data', () => prune.stop());
}

const describeKept = (dataFolder: string, { name, major, bytes, goesAt }: KeptCluster) => ({
  ...{ folder: join(dataFolder, name), major, bytes, goesAt },
});

/** A monitor without an api in the same process still has to read sessions. */
function createIdentifierOnly({ config, secrets, store, log }: ServiceParts): Identifier {
  return createIdentifier({ store, publicUrl: config.publicUrl, secret: secrets.secret, log });
}

async function addMonitor(
  fastify: FastifyInstance,
  { config, store, log, cleanup }: ServiceParts,
  { identify }: Identifier,
): Promise<Monitor> {
  const checks = { ...config.checks, consolePorts: consolePorts(config) };
  const { metrics, publicUrl } = config;
  const statusPages = config.statusPages ? { publicUrl, listener: store.listener } : undefined;
  const monitor = await createMonitor({ store, identify, log, checks, metrics, statusPages });
  cleanup.add('the monitor', () => monitor.close());
  await monitor.register(fastify);
  return monitor;
}

function apiConfiguration(config: Config, secrets: Secrets): ApiConfiguration {
  const {
    secret,
    previousSecret,
    appDomainToken,
    smtpUrl,
    databaseUrl,
    githubClientSecret: clientSecret,
  } = secrets;
  const { mailFrom, publicUrl, promos, allowPrivateTargets } = config;
  return {
    version,
    commit,
    publicUrl,
    appDomain: config.appDomain ?? null,
    proxy: {
      ...frontDoor(config),
      plane: planeAddress(config),
      dnsServers: config.proxy.dnsServers,
      ruleWorker: ruleWorkerProgram,
    },
    signUps: config.signups,
    statusPages: config.statusPages,
    promos,
    ceilings: config.ceilings,
    demo: config.demo?.offer ?? null,
    smtp: smtpUrl && mailFrom ? { url: smtpUrl, from: mailFrom } : null,
    secret,
    previousSecret: previousSecret ?? null,
    github: { ...config.github, app: oauthApp(config.github.clientId, clientSecret) },
    appDomainToken: appDomainToken ?? null,
    cloudflareUrl: config.cloudflareUrl ?? 'https://api.cloudflare.com/client/v4',
    loopback: config.loopbackOnly,
    allowPrivateTargets,
    consolePorts: consolePorts(config),
    pings: config.pingTargets ?? {},
    sole: databaseUrl === undefined,
    live: config.live,
  };
}

/** What reads patterns and pages of people, in threads of its own. */
export const ruleWorkerProgram = fileURLToPath(new URL('../dist/rule-worker.js', import.meta.url));

/** The console's OAuth app at GitHub, if the operator set one. */
const oauthApp = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

/** Where the api asks the proxy service: a service that listens on all addresses answers on the loopback too. */
function planeAddress({ proxy: { host, port } }: Config) {
  const everywhere = host === '0.0.0.0' || host === '::';
  return { host: everywhere ? '127.0.0.1' : host, port };
}

/** How visitors reach the proxy service. */
export const frontDoor = (config: Config) => ({
  proxyHost: config.proxy.name ?? null,
  address: new URL(config.publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'),
  urlOf: siteAddress(config),
  asksPrivate: everyNetwork.every((each) => config.proxy.allowPrivate.includes(each)),
});

/** Where visitors open a proxied domain. A console for this machine only has no front that speaks https. */
const siteAddress =
  ({ loopbackOnly, proxy }: Config) =>
  (domain: string): string =>
    loopbackOnly ? `http://${domain}:${proxy.port}/` : `https://${domain}/`;
