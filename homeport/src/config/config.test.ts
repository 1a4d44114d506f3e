import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { decideConfig } from './config.ts';
import { configurationPage, helpText, rulesOfSettings } from './document.ts';
import { environmentFile } from './document-environment.ts';
import { readEnvironment } from './environment.ts';

const ordinaryUser = { uid: 1000 };
const configOf = (env: Record<string, string>, user: { uid: number; xdgDataHome?: string } = ordinaryUser) =>
  decideConfig(readEnvironment(env), user);

test('without any setting the console is for this machine only', () => {
  expect(configOf({})).toMatchObject({
    host: '127.0.0.1',
    port: 7070,
    publicUrl: 'http://127.0.0.1:7070',
    loopbackOnly: true,
    signups: 'open',
    allowPrivateTargets: true,
  });
  expect([...configOf({}).services].sort()).toEqual(['api', 'monitor', 'proxy', 'web']);
});

test('the ports of the proxy service follow the console’s, unless they are set', () => {
  const portsOf = (env: Record<string, string>) => {
    const { port, controlPort } = configOf(env).proxy;
    return [port, controlPort];
  };
  expect(portsOf({})).toEqual([7080, 7081]);
  expect(portsOf({ HOMEPORT_PORT: '9000' })).toEqual([9010, 9011]);
  expect(portsOf({ HOMEPORT_PORT: '65525' })).toEqual([65515, 65516]);
  expect(portsOf({ HOMEPORT_PORT: '9000', HOMEPORT_PROXY_PORT: '7080' })).toEqual([7080, 7081]);
  expect(portsOf({ HOMEPORT_PROXY_CONTROL_PORT: '81' })).toEqual([7080, 81]);
});

test('a console that others can reach has sign-up closed and private targets refused', () => {
  const open = { HOMEPORT_HOST: '0.0.0.0', HOMEPORT_PUBLIC_URL: 'https://console.example.com/' };
  expect(configOf(open)).toMatchObject({
    publicUrl: 'https://console.example.com',
    loopbackOnly: false,
    signups: 'closed',
    allowPrivateTargets: false,
  });
});

test('a loopback console with a public address counts as reachable, because a reverse proxy stands in front', () => {
  const config = configOf({ HOMEPORT_PUBLIC_URL: 'https://console.example.com' });
  expect(config).toMatchObject({ loopbackOnly: false, signups: 'closed' });
});

test('checks may reach private networks if servers may have private addresses, or if a setting names the networks', () => {
  expect(configOf({}).checks.allowedNetworks).toEqual(['0.0.0.0/0', '::/0']);
  const open = { HOMEPORT_PUBLIC_URL: 'https://console.example.com' };
  expect(configOf(open).checks).toMatchObject({
    allowedNetworks: [],
    anchors: [expect.any(String), expect.any(String)],
  });
  const named = { HOMEPORT_CHECK_NETWORKS: '10.0.0.0/8, fd00::/8', HOMEPORT_CHECK_ANCHORS: 'none' };
  expect(configOf({ ...open, ...named }).checks).toEqual({
    allowedNetworks: ['10.0.0.0/8', 'fd00::/8'],
    anchors: [],
  });
});

test('refuses to open the console to others without a public address', () => {
  expect(() => configOf({ HOMEPORT_HOST: '0.0.0.0' })).toThrow('HOMEPORT_PUBLIC_URL has to say');
});

test.each([
  [{ HOMEPORT_BACKUP_RCLONE: '-v:x' }, 'is not a remote of rclone'],
  [{ HOMEPORT_BACKUP_RCLONE: ':s3,secret_access_key=x:bucket' }, 'is not a remote of rclone'],
  [{ HOMEPORT_BACKUP_RCLONE: '/mnt/backups' }, 'is not a remote of rclone'],
  [{ HOMEPORT_PUBLIC_URL: 'https://example.com/console' }, 'is an address without a path'],
  [{ HOMEPORT_PUBLIC_URL: 'ftp://example.com' }, 'is not an http or https address'],
  [{ HOMEPORT_SMTP_URL: 'smtp://mail.example.com' }, 'go together'],
  [{ HOMEPORT_MAIL_FROM: 'a@example.com' }, 'go together'],
  [{ DATABASE_URL: 'postgresql://db/homeport' }, 'set HOMEPORT_SECRET too'],
  [{ DATABASE_URL: 'mysql://db/homeport' }, 'DATABASE_URL does not start with postgresql://'],
  [{ HOMEPORT_PORT: '70700' }, 'HOMEPORT_PORT (--port) is above 65535'],
  [{ HOMEPORT_PORT: 'http' }, 'HOMEPORT_PORT (--port) is not a number'],
  [{ HOMEPORT_ONLY: 'api,mail' }, 'names a service other than'],
  [{ HOMEPORT_PROMOS: '{' }, 'HOMEPORT_PROMOS is not JSON'],
  [{ HOMEPORT_PING_TARGETS: 'eu=a.example' }, 'lacks one of eu, us, asia'],
  [{ HOMEPORT_PING_TARGETS: 'eu=$(reboot),us=a,asia=b' }, 'is not of the form'],
  [{ HOMEPORT_CHECK_NETWORKS: '10.0.0.0' }, 'is not a list of networks'],
  [{ HOMEPORT_CHECK_ANCHORS: 'example.com' }, 'is neither none nor a list'],
  [{ HOMEPORT_APP_DOMAIN: 'apps.example.com; rm -rf /' }, 'is not a host name'],
  [
    { HOMEPORT_CLOUDFLARE_URL: 'http://203.0.113.7/v4' },
    'is neither an https address nor one of this machine',
  ],
  [{ HOMEPORT_DEMO: 'yes' }, 'HOMEPORT_DEMO (--demo) is neither true nor false'],
  [{ HOMEPORT_DEMO_FLEET: '2001' }, 'HOMEPORT_DEMO_FLEET (--demo-fleet) is above 2000'],
  [{ HOMEPORT_DEMO: 'true', HOMEPORT_PUBLIC_URL: 'https://console.example.com' }, 'for this machine alone'],
  [{ HOMEPORT_DEMO: 'true', HOMEPORT_ONLY: 'api,web' }, 'needs api and monitor'],
  [{ HOMEPORT_SIGNUP: 'open' }, 'HOMEPORT_SIGNUP is not a setting of Homeport'],
])('refuses %o with a message that names the setting', (env, message) => {
  expect(() => configOf(env)).toThrow(message);
});

test('names all mistakes at once', () => {
  expect(() => readEnvironment({ HOMEPORT_PORT: 'x', HOMEPORT_SIGNUPS: 'yes' })).toThrow(
    'HOMEPORT_PORT (--port) is not a number.\nHOMEPORT_SIGNUPS is not one of closed, invite, open.',
  );
});

test('an empty variable counts as unset', () => {
  expect(configOf({ HOMEPORT_PORT: '', HOMEPORT_PUBLIC_URL: '' }).port).toBe(7070);
});

test('the data folder is in the system’s usual place', () => {
  expect(configOf({}, { uid: 0 }).dataFolder).toBe('/var/lib/homeport');
  expect(configOf({}, { uid: 1000, xdgDataHome: '/home/a/data' }).dataFolder).toBe('/home/a/data/homeport');
  expect(configOf({}).dataFolder).toMatch(/\/\.homeport$/);
  expect(configOf({ HOMEPORT_DATA: '/srv/homeport' }, { uid: 0 }).dataFolder).toBe('/srv/homeport');
});

test('a flag wins over its variable', () => {
  const command = readArguments(['--port', '8080', '--only=web'], { HOMEPORT_PORT: '9090' });
  expect(command).toEqual({ kind: 'start', env: { HOMEPORT_PORT: '8080', HOMEPORT_ONLY: 'web' } });
});

test('a switch stands without a value', () => {
  const command = readArguments(['--demo', '--demo-fleet', '20'], {});
  expect(command).toEqual({ kind: 'start', env: { HOMEPORT_DEMO: 'true', HOMEPORT_DEMO_FLEET: '20' } });
});

test('a ping target without a port gets the port of HTTPS', () => {
  const { pingTargets } = configOf({ HOMEPORT_PING_TARGETS: 'eu=a.example,us=b.example:80,asia=c.example' });
  expect(pingTargets).toEqual({ eu: 'a.example:443', us: 'b.example:80', asia: 'c.example:443' });
});

test('the git host of a GitHub Enterprise Server has an address and host keys', () => {
  const github = { HOMEPORT_GITHUB_CLIENT_ID: 'a', HOMEPORT_GITHUB_CLIENT_SECRET: 'b' };
  const key = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`;
  expect(
    configOf({
      ...github,
      HOMEPORT_GITHUB_SSH: 'ssh://git@git.example.com:2222',
      HOMEPORT_GITHUB_HOST_KEYS: `${key}, ${key}`,
    }).github,
  ).toMatchObject({ ssh: { host: 'git.example.com', port: 2222, user: 'git' }, hostKeys: [key, key] });
  expect(configOf({ ...github, HOMEPORT_GITHUB_SSH: 'ssh://git@git.example.com' }).github?.ssh?.port).toBe(
    22,
  );
  for (const wrong of [
    'git@git.example.com:x',
    'ssh://git.example.com',
    'ssh://git@-x',
    'https://git@x.example',
  ])
    expect(() => configOf({ ...github, HOMEPORT_GITHUB_SSH: wrong })).toThrow('HOMEPORT_GITHUB_SSH');
  expect(() => configOf({ ...github, HOMEPORT_GITHUB_HOST_KEYS: 'git.example.com' })).toThrow(
    'HOMEPORT_GITHUB_HOST_KEYS',
  );
});

test('refuses an unknown flag', () => {
  expect(() => readArguments(['--prot', '1'], {})).toThrow(
    "Unknown option '--prot'. --help lists the options.",
  );
});

const root = new URL('../../../', import.meta.url);

test.each([
  ['docs/configuration.md', configurationPage],
  ['homeport/help.txt', helpText],
  ['homeport/settings.json', rulesOfSettings],
  ['packaging/homeport.env', environmentFile],
])(
  '%s agrees with the table of settings (`npx tsx scripts/document-settings.ts` writes the file)',
  async (file, text) => {
    expect(await readFile(new URL(file, root), 'utf8')).toBe(text());
  },
);
