import { Resolver } from 'node:dns';
import { promoSchema } from '@homeport/contract/identity/schema';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { z } from 'zod';
import { readSecret } from './secret-files.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

/** Step one: the names of the settings and their primitive types. No defaults, no rules between settings. */

export const serviceNames = ['api', 'monitor', 'proxy', 'web'] as const;
export type ServiceName = (typeof serviceNames)[number];

const port = z.coerce
  .number('is not a number')
  .int('is not a whole number')
  .min(1, 'is below 1')
  .max(65_535, 'is above 65535');
const ceiling = z.coerce
  .number('is not a number')
  .int('is not a whole number')
  .min(1, 'is below 1')
  .max(1_000_000, 'is above 1000000');
const pages = z.coerce
  .number('is not a number')
  .int('is not a whole number')
  .min(1, 'is below 1')
  .max(10_000, 'is above 10000');
const text = z.string();
const truth = z.enum(['true', 'false'], 'is neither true nor false').transform((word) => word === 'true');
const list = z.string().transform((words) =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
);
const hostName = z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'is not a host name in lower case');

const folderFromRoot = z.string().regex(/^\/[^\0\n]{0,1000}$/, 'is not the path of a folder from / on');
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'does not start with postgresql://');

const fromJson = z.string().transform((json, context) => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

const dnsServers = list.refine((servers) => {
  try {
    new Resolver().setServers(servers);
    return servers.length > 0;
  } catch {
    return false;
  }
}, 'is not a list of IP addresses, each with or without a port');

const pingTargets = list.transform((pairs, context) => {
  const targets = { eu: '', us: '', asia: '' };
  for (const pair of pairs) {
    const [region = '', target = ''] = pair.split('=');
    const [host = '', port = '443'] = target.split(':');
    if (!isRegion(region) || !hostName.safeParse(host).success || !/^\d{1,5}$/.test(port)) {
      context.addIssue({ code: 'custom', message: 'is not of the form eu=host,us=host,asia=host' });
      return z.NEVER;
    }
    targets[region] = `${host}:${port}`;
  }
  if (Object.values(targets).includes(''))
    context.addIssue({ code: 'custom', message: 'lacks one of eu, us, asia' });
  return targets;
});

const networks = list.pipe(
  z.array(z.union([z.cidrv4(), z.cidrv6()], 'is not a list of networks such as 10.0.0.0/8')),
);
const addresses = list.pipe(
  z.array(
    z.union(
      [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
      'is not a list of addresses or networks such as 10.0.0.1,10.1.0.0/16',
    ),
  ),
);
const anchors = z
  .string()
  .transform((words) => (words.trim() === 'none' ? '' : words))
  .pipe(list)
  .pipe(
    z.array(z.url({ protocol: /^https?$/, error: 'is neither none nor a list of http or https addresses' })),
  );

/** A service that gets credentials: over HTTPS, or on this machine. */
const serviceUrl = z.url({ protocol: /^https?$/, error: 'is not an http or https address' }).refine((url) => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopbackAddress(hostname);
}, 'is neither an https address nor one of this machine');

function isRegion(word: string): word is 'eu' | 'us' | 'asia' {
  return word === 'eu' || word === 'us' || word === 'asia';
}

const shapes = {
  HOMEPORT_PORT: port,
  HOMEPORT_HOST: text,
  HOMEPORT_DATA: text,
  HOMEPORT_ONLY: list.pipe(
    z.array(z.enum(serviceNames, 'names a service other than api, monitor, proxy, web')).min(1),
  ),
  DATABASE_URL: postgresUrl,
  DATABASE_URL_DIRECT: postgresUrl,
  HOMEPORT_POSTGRES: folderFromRoot,
  HOMEPORT_POSTGRES_BEFORE: folderFromRoot,
  HOMEPORT_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'is not an http or https address' }),
  HOMEPORT_TRUST_PROXY: list,
  HOMEPORT_SECRET: z.string().min(32, 'has less than 32 characters'),
  HOMEPORT_SECRET_PREVIOUS: z.string().min(32, 'has less than 32 characters'),
  HOMEPORT_BACKUP_FOLDER: text,
  HOMEPORT_BACKUP_RCLONE: z
    .string()
    .regex(
      /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}:[A-Za-z0-9._/-]{0,200}$/,
      'is not a remote of rclone with a folder, such as box:backups/console',
    ),
  HOMEPORT_COPY_BEFORE_UPGRADE: truth,
  HOMEPORT_BACKUP_RECIPIENT: z.string().regex(/^age1[a-z0-9]{20,4000}$/, 'is not a public key of age'),
  HOMEPORT_SIGNUPS: z.enum(['closed', 'invite', 'open'], 'is not one of closed, invite, open'),
  HOMEPORT_SMTP_URL: z.string().regex(/^smtps?:\/\//, 'does not start with smtp:// or smtps://'),
  HOMEPORT_MAIL_FROM: text,
  HOMEPORT_GITHUB_CLIENT_ID: text,
  HOMEPORT_GITHUB_CLIENT_SECRET: text,
  HOMEPORT_GITHUB_URL: z.url({ protocol: /^https?$/, error: 'is not an http or https address' }),
  HOMEPORT_GITHUB_SSH: z
    .string()
    .max(300)
    .regex(
      /^ssh:\/\/[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*(?::[1-9][0-9]{0,4})?$/,
      'is not an address such as ssh://git@github.example.com:22',
    ),
  HOMEPORT_GITHUB_HOST_KEYS: list.pipe(
    z
      .array(
        z
          .string()
          .regex(
            /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]{40,1400}={0,2}$/,
            'is not a list of host keys such as ssh-ed25519 AAAA…',
          ),
      )
      .min(1)
      .max(16),
  ),
  HOMEPORT_APP_DOMAIN: hostName,
  HOMEPORT_APP_DOMAIN_TOKEN: z.string().regex(/^[!-~]{20,200}$/, 'is not an API token'),
  HOMEPORT_CLOUDFLARE_URL: serviceUrl,
  HOMEPORT_PING_TARGETS: pingTargets,
  HOMEPORT_ALLOW_PRIVATE_TARGETS: truth,
  HOMEPORT_METRICS: truth,
  HOMEPORT_STATUS_PAGES: truth,
  HOMEPORT_CHECK_NETWORKS: networks,
  HOMEPORT_CHECK_ANCHORS: anchors,
  HOMEPORT_MAX_PAGES_PER_SESSION: pages,
  HOMEPORT_MAX_PAGES_PER_PERSON: pages,
  HOMEPORT_PROMOS: fromJson.pipe(z.array(promoSchema)),
  HOMEPORT_PROXY_PORT: port,
  HOMEPORT_PROXY_HOST: text,
  HOMEPORT_PROXY_PROCESSES: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(1, 'is below 1')
    .max(64, 'is above 64'),
  HOMEPORT_PROXY_MEMORY: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(64, 'is below 64')
    .max(65_536, 'is above 65536'),
  HOMEPORT_PROXY_CONTROL_PORT: port,
  HOMEPORT_PROXY_NAME: hostName,
  HOMEPORT_DNS_SERVERS: dnsServers,
  HOMEPORT_TRUSTED_PROXIES: addresses,
  HOMEPORT_PROXY_FRONT_SECRET: z
    .string()
    .regex(/^[!-~]{32,200}$/, 'is not 32 to 200 letters, digits and signs without a space'),
  HOMEPORT_PROXY_CDN_NETWORKS: networks,
  HOMEPORT_PROXY_ALLOW_PRIVATE: networks,
  HOMEPORT_PROXY_MAX_BODY: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(0, 'is below 0'),
  HOMEPORT_DEMO: truth,
  HOMEPORT_DEMO_FLEET: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(1, 'is below 1')
    .max(2_000, 'is above 2000'),
  HOMEPORT_MAX_SERVERS_PER_PERSON: ceiling,
  HOMEPORT_MAX_KEYS_PER_PERSON: ceiling,
  HOMEPORT_MAX_APPS_PER_PERSON: ceiling,
  HOMEPORT_MAX_DATABASES_PER_PERSON: ceiling,
  HOMEPORT_MAX_PROXIES_PER_PERSON: ceiling,
  HOMEPORT_MAX_SESSIONS_PER_PERSON: ceiling,
  HOMEPORT_MAX_INVITATIONS_PER_PERSON: ceiling,
  HOMEPORT_MAX_TOKENS_PER_PERSON: ceiling,
  HOMEPORT_MAX_PASSKEYS_PER_PERSON: ceiling,
  HOMEPORT_MAX_DESTINATIONS_PER_PERSON: ceiling,
  HOMEPORT_MAX_OPERATIONS_PER_PERSON: ceiling,
  HOMEPORT_MAX_STREAMS_PER_PERSON: ceiling,
  HOMEPORT_MAX_OPENINGS_PER_PERSON: ceiling,
  HOMEPORT_MAX_CONNECTIONS_PER_PERSON: ceiling,
  HOMEPORT_LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug'], 'is not one of error, warn, info, debug'),
} satisfies Record<SettingName, z.ZodType>;

/** What can be said of a value without a package. Other values are checked when the console starts. */
export type ValueRule = { least: number; most: number } | { words: string } | { pattern: string } | null;

export const valueRules = (): Record<string, ValueRule> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, ruleOf(shape)]));

function ruleOf(shape: z.ZodType): ValueRule {
  const read = z.toJSONSchema(shape, { io: 'output', unrepresentable: 'any' });
  const { enum: words = read.enum, pattern } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  if (read.type === 'integer') return { least: Number(read.minimum), most: Number(read.maximum) };
  if (words) return { words: words.join(' ') };
  return pattern === undefined ? null : { pattern };
}

export type Environment = { [Name in SettingName]?: z.output<(typeof shapes)[Name]> };

/** A setting has an unusable value. `message` names the setting and never repeats the value, which may be a secret. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the settings from `env`, and secret ones also from the files that `…_FILE` names. An empty variable counts as unset. An unknown
 * HOMEPORT_ name is refused, because it may be a typing error.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const mistakes: string[] = [];
  for (const name of Object.keys(env)) {
    if (name.startsWith('HOMEPORT_') && !(name in settings) && !isSecretFile(name) && !forTests.test(name)) {
      mistakes.push(`${name} is not a setting of Homeport.`);
    }
  }
  const found: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const value = isSecret(name) ? readSecret(env, name, mistakes) : env[name];
    if (value === undefined || value === '') continue;
    const parsed = shape.safeParse(value);
    if (parsed.success) found[name] = parsed.data;
    else
      mistakes.push(
        `${nameWithFlag(name as SettingName)} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`,
      );
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return found as Environment;
}

const forTests = /^HOMEPORT_TEST_/;

const isSecret = (name: string): boolean => {
  const setting: Setting | undefined = name in settings ? settings[name as SettingName] : undefined;
  return setting?.isSecret === true;
};
const isSecretFile = (name: string): boolean =>
  name.endsWith('_FILE') && isSecret(name.slice(0, -'_FILE'.length));

function nameWithFlag(name: SettingName): string {
  const setting: Setting = settings[name];
  return setting.flag ? `${name} (--${setting.flag})` : name;
}
