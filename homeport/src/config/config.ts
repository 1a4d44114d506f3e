import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DemoOffer, Promo } from '@homeport/contract/identity/schema';
import { type Ceilings, ceilings } from '@homeport/contract/limits';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { ConfigError, type Environment, type ServiceName, serviceNames } from './environment.ts';
import { proxyHeapMiB } from './settings.ts';

/** The settings of this console that are not secret, decided once at its start. */
export type Config = {
  services: ReadonlySet<ServiceName>;
  host: string;
  port: number;
  dataFolder: string;
  /** The folder of other programs of PostgreSQL than those that Homeport brings. */
  postgresPrograms: string | undefined;
  /** The folder of the programs that wrote the data, for their move to a newer major version. */
  olderPostgresPrograms: string | undefined;
  /** Of the console itself. */
  backups: { folder: string; recipient: string | null; copyTo: string | null; beforeUpgrade: boolean };
  /** The console's one origin, without a slash at its end. */
  publicUrl: string;
  /** True when only this machine can reach the console. */
  loopbackOnly: boolean;
  trustProxy: string[];
  signups: 'closed' | 'invite' | 'open';
  /** The sender of e-mail. Undefined when messages go to the outbox. */
  mailFrom: string | undefined;
  appDomain: string | undefined;
  github: {
    /** Of the OAuth app. Undefined: the settings name none. Its secret is not here. */
    clientId: string | undefined;
    site: string;
    ssh?: { host: string; port: number; user: string } | undefined;
    hostKeys?: readonly string[] | undefined;
  };
  /** The base address of Cloudflare's API. Undefined: its own, or in a demo the stand-in's. */
  cloudflareUrl: string | undefined;
  pingTargets: { eu: string; us: string; asia: string } | undefined;
  allowPrivateTargets: boolean;
  /** Whether `/metrics` answers. */
  metrics: boolean;
  /** Whether people may publish status pages. */
  statusPages: boolean;
  /** The settings of checks of apps from outside. */
  checks: { allowedNetworks: string[]; anchors: string[] };
  /** The most pages that may be open at once, each with a socket of its own. */
  live: { socketsPerSession: number; socketsPerPerson: number };
  promos: Promo[];
  /** The most that one person may hold at once. */
  ceilings: Ceilings;
  proxy: {
    host: string;
    port: number;
    controlPort: number;
    /** How many processes answer visitors; 1: the service's own. */
    processes: number;
    /** The most that JavaScript of each process may take. */
    heapMiB: number;
    /** The name that CNAMEs of proxied domains lead to. */
    name: string | undefined;
    /** Asked for the records of proxied domains; none: the system's. */
    dnsServers: string[];
    trusted: { networks: string[]; cdnNetworks: string[] };
    allowPrivate: string[];
    bodyBytes: number | null;
  };
  /** Undefined outside of a demo. */
  demo: Demo | undefined;
  logLevel: 'error' | 'warn' | 'info' | 'debug';
};

export type Demo = {
  /** A stand-in for a Dokku server, linked for the first account. */
  sandbox: boolean;
  /** How many simulated servers the first account gets. */
  fleet: number;
  /** What pages of the demo offer, once its stand-ins run. */
  offer?: DemoOffer;
};

const defaultPromos: Promo[] = [
  { provider: 'DigitalOcean', url: 'https://www.digitalocean.com/', amountUsd: 100, referral: false },
  { provider: 'Vultr', url: 'https://www.vultr.com/', amountUsd: 100, referral: false },
];

/** Two independent networks, so that one of them may fail. */
const defaultAnchors = ['https://one.one.one.one/', 'https://dns.google/'];
export const everyNetwork = ['0.0.0.0/0', '::/0'];

/** Ports of this machine at which the console answers its own people. Nobody's check, target or server leads there. */
export const consolePorts = ({ port, proxy }: Config): number[] => [port, proxy.controlPort];

type User = { uid: number | undefined; xdgDataHome?: string | undefined };

export function decideDataFolder(environment: Environment, user: User): string {
  return resolve(environment.HOMEPORT_DATA ?? defaultDataFolder(user));
}

/** Step two: defaults, and rules between settings. Throws `ConfigError`. */
export function decideConfig(environment: Environment, user: User): Config {
  const host = environment.HOMEPORT_HOST ?? '127.0.0.1';
  const port = environment.HOMEPORT_PORT ?? 7070;
  const loopbackOnly = isLoopback(host) && environment.HOMEPORT_PUBLIC_URL === undefined;
  if (!isLoopback(host) && environment.HOMEPORT_PUBLIC_URL === undefined) {
    throw new ConfigError(
      `HOMEPORT_HOST=${host} opens the console to other machines, so HOMEPORT_PUBLIC_URL has to say under which address browsers reach it, for example https://console.example.com.`,
    );
  }
  if ((environment.HOMEPORT_SMTP_URL === undefined) !== (environment.HOMEPORT_MAIL_FROM === undefined)) {
    throw new ConfigError('HOMEPORT_SMTP_URL and HOMEPORT_MAIL_FROM go together: set both or neither.');
  }
  if (environment.DATABASE_URL !== undefined && environment.HOMEPORT_SECRET === undefined) {
    throw new ConfigError(
      'With DATABASE_URL set, set HOMEPORT_SECRET too: all replicas need the same one. `openssl rand -hex 32` makes one.',
    );
  }
  if (environment.DATABASE_URL_DIRECT !== undefined && environment.DATABASE_URL === undefined) {
    throw new ConfigError(
      'DATABASE_URL_DIRECT names the database of DATABASE_URL once more, without its pooler: set that too.',
    );
  }
  if (environment.HOMEPORT_APP_DOMAIN_TOKEN !== undefined && environment.HOMEPORT_APP_DOMAIN === undefined) {
    throw new ConfigError(
      'HOMEPORT_APP_DOMAIN_TOKEN is for the records under HOMEPORT_APP_DOMAIN: set that too.',
    );
  }
  const allowPrivateTargets = environment.HOMEPORT_ALLOW_PRIVATE_TARGETS ?? loopbackOnly;
  return {
    services: new Set(environment.HOMEPORT_ONLY ?? serviceNames),
    host,
    port,
    dataFolder: decideDataFolder(environment, user),
    backups: {
      folder: resolve(
        environment.HOMEPORT_BACKUP_FOLDER ?? join(decideDataFolder(environment, user), 'backups'),
      ),
      recipient: environment.HOMEPORT_BACKUP_RECIPIENT ?? null,
      copyTo: environment.HOMEPORT_BACKUP_RCLONE ?? null,
      beforeUpgrade: environment.HOMEPORT_COPY_BEFORE_UPGRADE ?? true,
    },
    postgresPrograms: environment.HOMEPORT_POSTGRES,
    olderPostgresPrograms: environment.HOMEPORT_POSTGRES_BEFORE,
    publicUrl: environment.HOMEPORT_PUBLIC_URL
      ? publicOrigin(environment.HOMEPORT_PUBLIC_URL)
      : new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).origin,
    loopbackOnly,
    trustProxy: environment.HOMEPORT_TRUST_PROXY ?? [],
    signups: environment.HOMEPORT_SIGNUPS ?? (loopbackOnly ? 'open' : 'closed'),
    mailFrom: environment.HOMEPORT_MAIL_FROM,
    appDomain: environment.HOMEPORT_APP_DOMAIN,
    github: decideGithub(environment),
    cloudflareUrl: environment.HOMEPORT_CLOUDFLARE_URL?.replace(/\/$/, ''),
    pingTargets: environment.HOMEPORT_PING_TARGETS,
    allowPrivateTargets,
    metrics: environment.HOMEPORT_METRICS ?? false,
    statusPages: environment.HOMEPORT_STATUS_PAGES ?? false,
    checks: {
      allowedNetworks: environment.HOMEPORT_CHECK_NETWORKS ?? (allowPrivateTargets ? everyNetwork : []),
      anchors: environment.HOMEPORT_CHECK_ANCHORS ?? defaultAnchors,
    },
    live: {
      socketsPerSession: environment.HOMEPORT_MAX_PAGES_PER_SESSION ?? 100,
      socketsPerPerson: environment.HOMEPORT_MAX_PAGES_PER_PERSON ?? 200,
    },
    promos: environment.HOMEPORT_PROMOS ?? defaultPromos,
    ceilings: decideCeilings(environment),
    proxy: decideProxy(environment, port, loopbackOnly),
    demo: decideDemo(environment, loopbackOnly),
    logLevel: environment.HOMEPORT_LOG_LEVEL ?? 'warn',
  };
}

function decideGithub(environment: Environment): Config['github'] {
  const {
    HOMEPORT_GITHUB_CLIENT_ID: clientId,
    HOMEPORT_GITHUB_CLIENT_SECRET: secret,
    HOMEPORT_GITHUB_URL: url,
  } = environment;
  if ((clientId === undefined) !== (secret === undefined)) {
    throw new ConfigError(
      'HOMEPORT_GITHUB_CLIENT_ID and HOMEPORT_GITHUB_CLIENT_SECRET go together: set both or neither.',
    );
  }
  return {
    clientId,
    site: new URL(url ?? 'https://github.com').origin,
    ssh:
      environment.HOMEPORT_GITHUB_SSH === undefined ? undefined : gitSshIn(environment.HOMEPORT_GITHUB_SSH),
    hostKeys: environment.HOMEPORT_GITHUB_HOST_KEYS,
  };
}

/** The address was checked already. */
function gitSshIn(address: string): { host: string; port: number; user: string } {
  const { hostname, port, username } = new URL(address);
  return { host: hostname, port: Number(port || 22), user: username };
}

/** The service's ports follow the console's, so that a second console on a machine needs one other port only. */
const proxyPortAfter = 10;
const highestPort = 65_535;

/** The port of the proxy service beside a console on this port. Its control port is the next one. */
export function proxyPortBeside(consolePort: number): number {
  const after = consolePort + proxyPortAfter;
  return after < highestPort ? after : consolePort - proxyPortAfter;
}

function decideProxy(environment: Environment, consolePort: number, loopbackOnly: boolean): Config['proxy'] {
  const port = environment.HOMEPORT_PROXY_PORT ?? proxyPortBeside(consolePort);
  return {
    host: environment.HOMEPORT_PROXY_HOST ?? '127.0.0.1',
    port,
    controlPort: environment.HOMEPORT_PROXY_CONTROL_PORT ?? port + 1,
    processes: environment.HOMEPORT_PROXY_PROCESSES ?? 1,
    heapMiB: environment.HOMEPORT_PROXY_MEMORY ?? proxyHeapMiB,
    name: environment.HOMEPORT_PROXY_NAME,
    dnsServers: environment.HOMEPORT_DNS_SERVERS ?? [],
    trusted: {
      // A front that shows a secret is believed for that alone: on a machine that others share, its address proves nothing.
      networks:
        environment.HOMEPORT_TRUSTED_PROXIES ??
        (environment.HOMEPORT_PROXY_FRONT_SECRET === undefined ? ['127.0.0.0/8', '::1/128'] : []),
      cdnNetworks: environment.HOMEPORT_PROXY_CDN_NETWORKS ?? [],
    },
    allowPrivate: environment.HOMEPORT_PROXY_ALLOW_PRIVATE ?? (loopbackOnly ? everyNetwork : []),
    bodyBytes: environment.HOMEPORT_PROXY_MAX_BODY ?? null,
  };
}

function decideCeilings(environment: Environment): Ceilings {
  return {
    servers: environment.HOMEPORT_MAX_SERVERS_PER_PERSON ?? ceilings.servers,
    keys: environment.HOMEPORT_MAX_KEYS_PER_PERSON ?? ceilings.keys,
    apps: environment.HOMEPORT_MAX_APPS_PER_PERSON ?? ceilings.apps,
    databases: environment.HOMEPORT_MAX_DATABASES_PER_PERSON ?? ceilings.databases,
    proxies: environment.HOMEPORT_MAX_PROXIES_PER_PERSON ?? ceilings.proxies,
    sessions: environment.HOMEPORT_MAX_SESSIONS_PER_PERSON ?? ceilings.sessions,
    invitations: environment.HOMEPORT_MAX_INVITATIONS_PER_PERSON ?? ceilings.invitations,
    tokens: environment.HOMEPORT_MAX_TOKENS_PER_PERSON ?? ceilings.tokens,
    passkeys: environment.HOMEPORT_MAX_PASSKEYS_PER_PERSON ?? ceilings.passkeys,
    destinations: environment.HOMEPORT_MAX_DESTINATIONS_PER_PERSON ?? ceilings.destinations,
    operations: environment.HOMEPORT_MAX_OPERATIONS_PER_PERSON ?? ceilings.operations,
    streams: environment.HOMEPORT_MAX_STREAMS_PER_PERSON ?? ceilings.streams,
    openings: environment.HOMEPORT_MAX_OPENINGS_PER_PERSON ?? ceilings.openings,
    connections: environment.HOMEPORT_MAX_CONNECTIONS_PER_PERSON ?? ceilings.connections,
  };
}

/** In a demo the first account runs programs as the user who started the demo, so its person has to be at this machine. */
function decideDemo(environment: Environment, loopbackOnly: boolean): Demo | undefined {
  const { HOMEPORT_DEMO: sandbox = false, HOMEPORT_DEMO_FLEET: fleet = 0, HOMEPORT_ONLY: only } = environment;
  if (!sandbox && fleet === 0) return undefined;
  if (!loopbackOnly || environment.DATABASE_URL !== undefined) {
    throw new ConfigError(
      'A demo (HOMEPORT_DEMO, HOMEPORT_DEMO_FLEET) is for this machine alone: it goes with neither HOMEPORT_PUBLIC_URL, another machine’s HOMEPORT_HOST nor DATABASE_URL.',
    );
  }
  if (only && !(only.includes('api') && only.includes('monitor'))) {
    throw new ConfigError('A demo needs api and monitor in the same process: HOMEPORT_ONLY leaves one out.');
  }
  return { sandbox, fleet };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

/** PostgreSQL does not run as root, and no other account may enter /root. So a console that root starts keeps its data in /var/lib. */
function defaultDataFolder({ uid, xdgDataHome }: User): string {
  if (uid === 0) return '/var/lib/homeport';
  return xdgDataHome ? join(xdgDataHome, 'homeport') : join(homedir(), '.homeport');
}

function publicOrigin(url: string): string {
  const { origin, pathname, search, hash } = new URL(url);
  if (pathname !== '/' || search || hash) {
    throw new ConfigError(
      'HOMEPORT_PUBLIC_URL is an address without a path: the console has an origin of its own.',
    );
  }
  return origin;
}
