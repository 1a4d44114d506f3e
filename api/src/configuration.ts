import type { Configuration } from '@homeport/contract/identity/schema';
import type { Ceilings } from '@homeport/contract/limits';
import { reachableUrl } from '@homeport/contract/network/loopback';
import type { TerminalTimes } from '@homeport/contract/terminals/facts';
import type { Gate, ResolveAll } from '@homeport/egress';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type { BackupFolder } from './console/backups/backup-folder.ts';
import type { OwnPostgres } from './console/handlers.ts';
import { type GithubConfiguration, githubDotCom } from './github/settings.ts';
import type { Pace } from './http/admission.ts';
import type { LiveLimits } from './live/live-limits.ts';
import type { SmtpSettings } from './mail/mailer.ts';
import type { ServiceAddress } from './notifications/http/http-channel.ts';
import type { PlaneAddress } from './proxies/ask-plane.ts';
import type { ProxyDeps } from './proxies/deps.ts';
import type { FrontDoor } from './records/proxy-record.ts';

export type ApiConfiguration = Pick<
  Configuration,
  'version' | 'publicUrl' | 'appDomain' | 'signUps' | 'promos' | 'demo'
> & {
  /** Of the sources of this console; null: not known. */
  commit: string | null;
  /** Whether people may publish status pages. */
  statusPages: boolean;
  /** What one person may hold at once. */
  ceilings: Ceilings;
  smtp: SmtpSettings | null;
  /** How visitors reach the proxy service. */
  proxy: FrontDoor & {
    plane: PlaneAddress;
    /** Asked for the records of domains, as `address` or `address:port`. None: those of the system. */
    dnsServers: readonly string[];
    /** The program that reads patterns and pages of people: the built `proxies/rule-worker/worker.ts`. */
    ruleWorker: string;
  };
  /** At least 32 random characters, the same in every replica and after a restart. */
  secret: string;
  /** The secret that `secret` replaced; null: none. */
  previousSecret: string | null;
  /** The operator's token for the zone of `appDomain`; null: none. */
  appDomainToken: string | null;
  /** The base address of Cloudflare's API, with its path. */
  cloudflareUrl: string;
  /** The console listens on a loopback address only. */
  loopback: boolean;
  /** Null: github.com, with the OAuth app that the owner may enter on a page. */
  github: GithubConfiguration | null;
  /** Servers may have private and loopback addresses. */
  allowPrivateTargets: boolean;
  /** Ports of this machine at which the console itself answers. */
  consolePorts: readonly number[];
  /** `host:port` that agents measure their connect times to. */
  pings: Partial<Record<'eu' | 'us' | 'asia', string>>;
  /** True if no other process runs operations on this store, as with the embedded store. */
  sole: boolean;
  /** How many pages may be open at once. */
  live: Pick<LiveLimits, 'socketsPerSession' | 'socketsPerPerson'>;
};

export type ApiDeps = {
  store: Store;
  /** How long a terminal lasts. Default: as the contract says. */
  terminalTimes?: TerminalTimes;
  configuration: ApiConfiguration;
  log: FastifyBaseLogger;
  /** Where backups of the console itself are made and kept. The api closes it. */
  backups: BackupFolder;
  /** What the launcher knows of the console's own PostgreSQL. */
  postgres: OwnPostgres;
  /** Shows a text to the person at the terminal. */
  announce: (text: string) => void;
  /** Epoch milliseconds. */
  clock: () => number;
  /** The TXT records of a name, which prove a domain. By default the system’s DNS servers are asked. */
  readTxt?: ProxyDeps['readTxt'];
  /** Resolves the names of servers. By default the system’s DNS servers are asked, or those of the settings. */
  resolveServer?: ResolveAll;
  /** Where the services answer at which people are told; by default where they do. */
  serviceAddress?: ServiceAddress | undefined;
  /** The way to push services; by default to public addresses alone. */
  pushGate?: Gate;
  /** How fast the proxies of one account are read and changed; by default as the console promises. */
  proxyPace?: ProxyDeps['pace'];
  /** How fast one caller's requests go through; by default as the console promises. */
  pace?: Pace;
  /** How fast one person's calls of tools go through; by default as the console promises. */
  toolPace?: Pace;
};

/** The part of the configuration that a page may read. */
export function shownConfiguration(
  configuration: ApiConfiguration,
): Omit<Configuration, 'signUps' | 'hasOwner' | 'githubSignIn'> {
  const { version, publicUrl, appDomain, promos, smtp, demo, github } = configuration;
  return {
    version,
    publicUrl,
    reachableUrl: reachableUrl(publicUrl),
    appDomain,
    proxyHost: configuration.proxy.proxyHost,
    promos,
    mailConfigured: smtp !== null,
    githubUrl: (github ?? githubDotCom).site,
    demo,
  };
}
