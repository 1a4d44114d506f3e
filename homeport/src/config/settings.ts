import { ceilings } from '@homeport/contract/limits';

/** One setting: an environment variable. Common settings have a flag too; the flag wins. */
export type Setting = {
  flag?: string;
  /** The flag stands alone and means `true`. */
  isSwitch?: true;
  /** How the value looks, for `--help` and the documentation. */
  value: string;
  /** The value without the setting; in words if it is not fixed. */
  byDefault: string;
  purpose: string;
  /** Must not be shown. May also be read from the file that the variable with `_FILE` behind its name names. */
  isSecret?: true;
};

/** Several times what the rules of ten thousand domains take (docs/performance.md). */
export const proxyHeapMiB = 512;

/** Every setting. `--help` and docs/configuration.md are made from this table; nothing else reads the environment. */
export const settings = {
  HOMEPORT_PORT: {
    flag: 'port',
    value: 'number',
    byDefault: '7070',
    purpose: 'Port of the console: page, api and monitor.',
  },
  HOMEPORT_HOST: {
    value: 'address',
    byDefault: '127.0.0.1',
    purpose: 'Address to listen on. Anything but a loopback address needs HOMEPORT_PUBLIC_URL as well.',
  },
  HOMEPORT_DATA: {
    flag: 'data',
    value: 'folder',
    byDefault:
      '$XDG_DATA_HOME/homeport where that is set, else ~/.homeport; /var/lib/homeport when started by root',
    purpose: 'Folder for the embedded PostgreSQL, its log and the generated secret.',
  },
  HOMEPORT_ONLY: {
    flag: 'only',
    value: 'api,monitor,proxy,web',
    byDefault: 'all four',
    purpose: 'Which services this process runs.',
  },
  DATABASE_URL: {
    value: 'postgresql://…',
    byDefault: 'an embedded PostgreSQL in the data folder',
    purpose: 'A PostgreSQL server of your own, version 15 or later.',
    isSecret: true,
  },
  DATABASE_URL_DIRECT: {
    value: 'postgresql://…',
    byDefault: 'DATABASE_URL',
    purpose:
      'PostgreSQL’s own address, where DATABASE_URL is a pooler’s that gives each transaction another session (PgBouncer with pool_mode = transaction). Notifications, upgrades and backups go there.',
    isSecret: true,
  },
  HOMEPORT_POSTGRES: {
    value: 'folder',
    byDefault: 'the PostgreSQL that Homeport brings',
    purpose:
      'Folder of the programs postgres and initdb of another PostgreSQL, version 18 or later, such as /usr/lib/postgresql/18/bin. It runs the embedded database and the test restores of backups.',
  },
  HOMEPORT_POSTGRES_BEFORE: {
    value: 'folder',
    byDefault: 'copies in the data folder, then where Debian, Red Hat and Homebrew put them',
    purpose:
      'Folder of the programs of the older PostgreSQL that wrote the data. Read once, when the data are moved to a newer major version.',
  },
  HOMEPORT_PUBLIC_URL: {
    value: 'https://console.example.com',
    byDefault: 'http://127.0.0.1 and the port',
    purpose:
      'The one address of this console: the console leads browsers to it, agents report to it, e-mails link to it.',
  },
  HOMEPORT_TRUST_PROXY: {
    value: 'addresses',
    byDefault: 'nobody',
    purpose: 'Reverse proxies that may set X-Forwarded-For: addresses or networks, with commas between.',
  },
  HOMEPORT_SECRET: {
    value: '32 characters or more',
    byDefault: 'generated once, kept in the data folder as `secret`, readable by its owner only',
    purpose: 'Signs sessions, and seals the credentials of linked accounts. The same on every replica.',
    isSecret: true,
  },
  HOMEPORT_SECRET_PREVIOUS: {
    value: '32 characters or more',
    byDefault: 'none',
    purpose:
      'The secret that HOMEPORT_SECRET replaces. It opens what was sealed before; the start seals that again. Remove it after one start.',
    isSecret: true,
  },
  HOMEPORT_BACKUP_RECIPIENT: {
    value: 'age1…',
    byDefault: 'none: `backup` wants --recipient or --plain',
    purpose:
      'Public key of age for which the command `backup` encrypts, and the page *Console* until the owner names another one there.',
  },
  HOMEPORT_BACKUP_FOLDER: {
    value: 'folder',
    byDefault: '`backups` in the data folder',
    purpose:
      'Folder for the backups that the page *Console* and its schedule make. A disk of its own is best.',
  },
  HOMEPORT_BACKUP_RCLONE: {
    value: 'remote:folder',
    byDefault: 'none: backups stay in their folder',
    purpose:
      'Where rclone copies each encrypted backup of the page *Console* and its schedule to. The remote is one of your rclone settings (RCLONE_CONFIG), which hold its secrets.',
  },
  HOMEPORT_COPY_BEFORE_UPGRADE: {
    value: 'true or false',
    byDefault: 'true',
    purpose:
      'Copies the data into `upgrades` in the data folder before a newer program changes their tables. The newest three copies stay, and the first one of this version. They are encrypted where HOMEPORT_BACKUP_RECIPIENT names a key. None is made where HOMEPORT_SECRET is set and that is not: a copy holds the secret.',
  },
  HOMEPORT_SIGNUPS: {
    value: 'closed, invite or open',
    byDefault:
      'open while the console listens on a loopback address and HOMEPORT_PUBLIC_URL is not set, else closed',
    purpose: 'Who may sign up after the first account, which is always the owner’s.',
  },
  HOMEPORT_SMTP_URL: {
    value: 'smtps://user:password@host',
    byDefault: 'messages are kept in the store, shown in the terminal and on a page for the owner',
    purpose: 'Mail server for verification and reset messages. Needs HOMEPORT_MAIL_FROM.',
    isSecret: true,
  },
  HOMEPORT_MAIL_FROM: {
    value: 'Homeport <console@example.com>',
    byDefault: 'none',
    purpose: 'Sender of those messages.',
  },
  HOMEPORT_GITHUB_CLIENT_ID: {
    value: 'text',
    byDefault:
      'none: the owner may enter an OAuth app on the profile page, and people may link by an access token',
    purpose:
      'Client id of the OAuth app at GitHub. Its callback address is the console’s own address. Needs HOMEPORT_GITHUB_CLIENT_SECRET.',
  },
  HOMEPORT_GITHUB_CLIENT_SECRET: {
    value: 'text',
    byDefault: 'none',
    purpose: 'Secret of that OAuth app.',
    isSecret: true,
  },
  HOMEPORT_GITHUB_URL: {
    value: 'https://github.example.com',
    byDefault: 'https://github.com',
    purpose: 'Address of a GitHub Enterprise Server to work with in place of github.com.',
  },
  HOMEPORT_GITHUB_SSH: {
    value: 'ssh://git@github.example.com:22',
    byDefault: 'ssh://git@ and the host of HOMEPORT_GITHUB_URL',
    purpose: 'Where servers reach the git of that GitHub over SSH, with the deploy keys of apps.',
  },
  HOMEPORT_GITHUB_HOST_KEYS: {
    value: 'ssh-ed25519 AAAA…, ecdsa-sha2-nistp256 AAAA…',
    byDefault: 'what GitHub publishes: github.com does, a GitHub Enterprise Server does not',
    purpose:
      'Host keys of that address, each as a type and a key. Without any, private commits are deployed by an archive, because a server could not know whom it reaches.',
  },
  HOMEPORT_APP_DOMAIN: {
    value: 'apps.example.com',
    byDefault: 'none: apps get {name}.{address}.sslip.io or a domain of the user’s',
    purpose: 'Shared suffix under which servers claim a subdomain.',
  },
  HOMEPORT_APP_DOMAIN_TOKEN: {
    value: 'an API token of Cloudflare’s',
    byDefault: 'none: you make the records yourself',
    purpose:
      'Makes the wildcard record of each subdomain that a server claims under HOMEPORT_APP_DOMAIN. Needs Zone DNS Edit and Zone Zone Read for that zone.',
    isSecret: true,
  },
  HOMEPORT_CLOUDFLARE_URL: {
    value: 'https://api.cloudflare.com/client/v4',
    byDefault: 'Cloudflare’s own address; in a demo its stand-in',
    purpose:
      'Base address of Cloudflare’s API, for tests against a stand-in. HTTPS, or a loopback address. Whoever answers there sees credentials.',
  },
  HOMEPORT_PING_TARGETS: {
    value: 'eu=host,us=host,asia=host',
    byDefault: 'the agent’s own three',
    purpose: 'Hosts whose connect time agents measure for the latency charts, on port 443 or as host:port.',
  },
  HOMEPORT_ALLOW_PRIVATE_TARGETS: {
    value: 'true or false',
    byDefault:
      'true while the console listens on a loopback address and HOMEPORT_PUBLIC_URL is not set, else false',
    purpose: 'Whether servers and checks may have private and loopback addresses.',
  },
  HOMEPORT_METRICS: {
    value: 'true or false',
    byDefault: 'false',
    purpose:
      'Whether `/metrics` answers a person’s API token with the scope stats:read, in Prometheus’ text format, with what is measured of that person’s servers.',
  },
  HOMEPORT_STATUS_PAGES: {
    value: 'true or false',
    byDefault: 'false',
    purpose:
      'Whether people may publish status pages, which anybody can read at `/status/` and an address that their person chose. While it is false, those addresses answer 404.',
  },
  HOMEPORT_CHECK_NETWORKS: {
    value: '10.0.0.0/8,fd00::/8',
    byDefault: 'all of them where HOMEPORT_ALLOW_PRIVATE_TARGETS is true, else none',
    purpose:
      'Private networks that uptime checks may reach, with commas between. Of this machine they open ports 80 and 443 only, as with HOMEPORT_PROXY_ALLOW_PRIVATE.',
  },
  HOMEPORT_CHECK_ANCHORS: {
    value: 'addresses, or none',
    byDefault: 'https://one.one.one.one/,https://dns.google/',
    purpose:
      'Addresses to ask before an app on a public address counts as down. When none of them answers either, the console’s own network is down.',
  },
  HOMEPORT_MAX_PAGES_PER_SESSION: {
    value: 'number',
    byDefault: '100',
    purpose:
      'Pages of one sign-in that follow changes as they happen, each over a socket of its own. Further pages ask once a minute.',
  },
  HOMEPORT_MAX_PAGES_PER_PERSON: {
    value: 'number',
    byDefault: '200',
    purpose: 'The same for all sign-ins of one person together.',
  },
  HOMEPORT_PROMOS: {
    value: 'JSON list',
    byDefault: 'DigitalOcean and Vultr',
    purpose:
      'The free-credit cards: objects with provider, url and amountUsd, and `"referral": true` where you receive credits for the link.',
  },
  HOMEPORT_PROXY_PORT: {
    value: 'number',
    byDefault: 'ten above the console’s port: 7080',
    purpose:
      'Port of the proxy service, which serves proxied domains. The service begins with the first proxy, and ends with the last one.',
  },
  HOMEPORT_PROXY_HOST: {
    value: 'address',
    byDefault: '127.0.0.1',
    purpose: 'Address that the proxy service listens on.',
  },
  HOMEPORT_PROXY_PROCESSES: {
    value: 'number',
    byDefault: '1: the process of the service itself answers',
    purpose:
      'How many processes answer the visitors of proxied domains. More than one use as many processors; each has a cache of its own.',
  },
  HOMEPORT_PROXY_MEMORY: {
    value: 'MiB',
    byDefault: String(proxyHeapMiB),
    purpose:
      'The most that JavaScript of each process of the proxy service may take, beside at most 256 MiB of cached answers. A process that outgrows it dies and comes back by itself.',
  },
  HOMEPORT_PROXY_CONTROL_PORT: {
    value: 'number',
    byDefault: 'the number after HOMEPORT_PROXY_PORT: 7081',
    purpose:
      'Port on 127.0.0.1 for whoever runs the proxy service: its health, the question of a front whether a domain may have a certificate, reload and purge.',
  },
  HOMEPORT_PROXY_NAME: {
    value: 'proxy.example.com',
    byDefault: 'none: each domain is asked over http whether its requests arrive here',
    purpose:
      'Name of the machine that serves proxied domains. A domain points here by a CNAME to this name, or by its addresses.',
  },
  HOMEPORT_DNS_SERVERS: {
    value: '9.9.9.9,[2620:fe::fe]:53',
    byDefault: 'those of the system',
    purpose:
      'DNS servers that are asked for the records of proxied domains, for the addresses of servers that are known by a name, and by the checks before HTTPS. A resolver that keeps old answers for long makes people wait for their domains.',
  },
  HOMEPORT_TRUSTED_PROXIES: {
    value: 'addresses',
    byDefault: '127.0.0.0/8,::1/128; none where HOMEPORT_PROXY_FRONT_SECRET is set',
    purpose:
      'Fronts of the proxy service that may say for whom they ask (X-Forwarded-For, X-Forwarded-Proto): addresses or networks, with commas between.',
  },
  HOMEPORT_PROXY_FRONT_SECRET: {
    value: 'text',
    byDefault: 'none',
    purpose:
      'Text by which a front may say for whom it asks, whatever its address: it sends the text in the header X-Homeport-Front.',
    isSecret: true,
  },
  HOMEPORT_PROXY_CDN_NETWORKS: {
    value: 'networks',
    byDefault: 'none',
    purpose: 'Networks of a Cloudflare in front of the front. Only these are believed in CF-Connecting-IP.',
  },
  HOMEPORT_PROXY_ALLOW_PRIVATE: {
    value: 'networks',
    byDefault:
      'every network while the console listens on a loopback address and HOMEPORT_PUBLIC_URL is not set, else none',
    purpose:
      'Networks that may be targets of proxies although they are not public. Of this machine they open ports 80 and 443 only, unless one is a network of the loopback, the address alone or every network. Link-local addresses and the metadata services of clouds never are targets.',
  },
  HOMEPORT_PROXY_MAX_BODY: {
    value: 'bytes',
    byDefault: 'no bound',
    purpose: 'The largest body of a request that the proxy service passes on.',
  },
  HOMEPORT_DEMO: {
    flag: 'demo',
    isSwitch: true,
    value: 'true or false',
    byDefault: 'false',
    purpose:
      'Starts a stand-in for a Dokku server on this machine and links it for the first account. It isolates nothing.',
  },
  HOMEPORT_DEMO_FLEET: {
    flag: 'demo-fleet',
    value: 'number',
    byDefault: 'none',
    purpose: 'Gives the first account this many simulated servers, with a year of made-up reports.',
  },
  HOMEPORT_MAX_SERVERS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.servers),
    purpose: 'Linked servers of one account; simulated ones do not count.',
  },
  HOMEPORT_MAX_KEYS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.keys),
    purpose: 'Public keys of one account.',
  },
  HOMEPORT_MAX_APPS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.apps),
    purpose: 'Apps of one account, on all of its servers together.',
  },
  HOMEPORT_MAX_DATABASES_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.databases),
    purpose: 'Databases of one account, on all of its servers together.',
  },
  HOMEPORT_MAX_PROXIES_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.proxies),
    purpose: 'Proxies of one account, each for one domain.',
  },
  HOMEPORT_MAX_SESSIONS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.sessions),
    purpose: 'Sign-ins of one account at once; one more ends the sign-in that was used longest ago.',
  },
  HOMEPORT_MAX_INVITATIONS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.invitations),
    purpose: 'Invitations of one account that nobody has used.',
  },
  HOMEPORT_MAX_TOKENS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.tokens),
    purpose: 'API tokens of one account, with those that have expired.',
  },
  HOMEPORT_MAX_PASSKEYS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.passkeys),
    purpose: 'Passkeys of one account.',
  },
  HOMEPORT_MAX_DESTINATIONS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.destinations),
    purpose: 'Destinations of news of one account, beside its e-mail address.',
  },
  HOMEPORT_MAX_OPERATIONS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.operations),
    purpose: 'Operations of one account that are queued, run or wait.',
  },
  HOMEPORT_MAX_STREAMS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.streams),
    purpose: 'Event streams over HTTP that one account may read at once, for each process.',
  },
  HOMEPORT_MAX_OPENINGS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.openings),
    purpose:
      'Connections to servers that one account opens at the same moment, for each process. Eight times as many pages may wait for one.',
  },
  HOMEPORT_MAX_CONNECTIONS_PER_PERSON: {
    value: 'number',
    byDefault: String(ceilings.connections),
    purpose: 'Live connections to servers of one account, for each process.',
  },
  HOMEPORT_LOG_LEVEL: {
    value: 'error, warn, info or debug',
    byDefault: 'warn',
    purpose:
      'How much is logged to standard output: sentences on a terminal, one JSON object a line elsewhere.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
