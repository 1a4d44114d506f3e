const because = (reason: string, ...rows: readonly string[]): [string, string][] =>
  rows.map((row) => [row, reason]);

/** Rows that the sandbox answers differently, each with the reason. */
export const accepted: ReadonlyMap<string, string> = new Map([
  ...because('the sandbox has no help', 'probe: no command'),
  ...because(
    'one key came from a file of the recorder',
    'ssh-keys: list',
    'ssh-keys: list json',
    'ssh-keys: list over the dokku user',
  ),
  ...because('the sandbox has no reservations', 'resource: report, unset single key'),
  ...because('the sandbox logs few of the ninety triggers', 'events: list'),
  ...because(
    'the recorder’s server had other apps',
    'domains: report json, all apps',
    'acl: command rules set: allowed to everybody',
    'stats: docker ps as the console runs it',
    'stats: docker ps with sizes',
    'durations: ps report json, all apps',
    'durations: apps report json, all apps',
  ),
  ...because(
    'the recorder’s app had other variables',
    'config: six config:set at the same time: what is left',
    'acl: config:show by a user who is not listed, no command rules set',
    'acl: command rules set: the super user',
  ),
  ...because(
    'the recorder’s apps had more deploys, and of other kinds',
    'apps: report json, deployed from an image',
    'apps: report json, deployed by sync',
    'git: report json, deployed from an image',
    'git: report json, deployed by sync',
    'apps: destroy --force over the dokku user, cloned without deploy',
    'builds: list json, all kinds',
    'builds: list, all kinds',
    'builds: list json --kind build --status succeeded',
    'builds: list json, an app with cancelled, failed and abandoned records',
    'builds: list, an app with cancelled, failed and abandoned records',
    'builds: list --status failed',
    'locks: during a build, after a refused deploy: builds list json',
    'locks: after the cancel: builds list json',
    'locks: 20 s after the client was killed: builds list json',
    'locks: the push whose SSH client was killed, in the end: builds list json',
    'locks: the push whose SSH client was killed, in the end: branch of the app',
    'locks: ps:rebuild, 15 s after the client was killed: builds list json',
    'locks: ps:rebuild whose client was killed, in the end: builds list json',
    'locks: ps:restart whose client was killed, 30 s later: builds list',
  ),
  ...because(
    'the sandbox writes the site once and not twice',
    'apps: create, no global domain on the server',
  ),
  ...because(
    'the console reads and writes JSON only',
    'config: import, envfile',
    'config: export envfile',
    'config: export shell',
    'config: export pretty',
    'config: export docker-args',
  ),
  ...because(
    'the sandbox has no variables of the whole server',
    'config: set global',
    'config: export global json',
  ),
  ...because(
    'the sandbox gives only the part of Docker’s answer that is read',
    'ps: inspect, never deployed',
    'ps: inspect',
    'stats: docker inspect labels',
  ),
  ...because(
    'the sandbox has no settings for an ACME server of one’s own',
    'letsencrypt: report json, enabled',
    'letsencrypt: report json of that app',
  ),
  ...because('the lines have another width', 'letsencrypt: report, nothing set'),
  ...because('a certificate changes no port of the sandbox’s', 'letsencrypt: ports report json after enable'),
  ...because('the console never removes the job', 'letsencrypt: cron-job --remove'),
  ...because(
    'the recorder’s server had cron jobs by then',
    'letsencrypt: destroy that app',
    'durations: apps destroy, never deployed',
  ),
  ...because('the processes of the sandbox have usage of their own', 'stats: docker stats of two containers'),
  ...because('the console sets no checks', 'checks: report json, disabled and skipped'),
  ...because('the recorded app had no port mapping for http yet', 'durations: letsencrypt enable'),
  ...because('the recorder’s plugins came from files', 'plugin: list json'),
  ...because('the sandbox does not print nginx’s warning', 'ps: scale, negative'),
  ...because('the check of the recorded app’s own fails too', 'ps: restart, the new containers crash'),
  ...because('the recorded app logs a last line when it is stopped', 'logs: logs, stopped app'),
  ...because(
    'the sandbox has no plugins of old versions',
    'plugin: list, one plugin without plugin.toml',
    'plugin: list json, one plugin without plugin.toml',
    'plugin: list over the dokku user, one plugin without plugin.toml',
  ),
  ...because(
    'the sandbox does not have the plugin’s rules',
    'acl: command rules set: per app, user not listed',
    'acl: command rules set: apps:destroy by a listed user',
    'acl: command rules set: apps:destroy from the root shell',
    'acl: command rules set: service command',
    'acl: command rules set: service command, user listed',
  ),
  ...because(
    'the sandbox runs no databases, whose lines a log would hold',
    ...['postgres', 'mysql', 'redis'].flatMap((type) => [`${type}: logs`, `${type}: logs, paused`]),
  ),
  ...because('the console calls git with --git-dir only', 'stats: readme, git -C as root'),
]);

/** Rows whose comparison would prove nothing, each with the reason. */
export const notReplayed: ReadonlyMap<string, string> = new Map([
  [
    'locks: during a build, after a refused deploy: builds output current',
    'the real Dokku loses track of the build here; the sandbox follows the build and does not end',
  ],
  ['git: from-archive, a tar on stdin', 'the row names its file only: git-from-archive.test.ts has one'],
  ['git: from-archive, nothing on stdin', 'git-from-archive.test.ts has the deployed app for it'],
]);
