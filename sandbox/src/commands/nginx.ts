import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxCommand } from '../machine/call.ts';
import { writeText } from '../machine/files.ts';
import { report } from '../machine/report.ts';
import { refuseBroken, takeSites } from '../machine/site.ts';
import type { App } from '../machine/state.ts';

/** In the order in which `nginx:set` lists them. */
const keys = [
  ...[
    'access-log-format',
    'access-log-path',
    'bind-address-ipv4',
    'bind-address-ipv6',
    'client-body-timeout',
  ],
  ...['client-header-timeout', 'client-max-body-size', 'disable-custom-config', 'error-log-path', 'hsts'],
  ...['hsts-include-subdomains', 'hsts-preload', 'hsts-max-age', 'keepalive-timeout', 'lingering-timeout'],
  ...['nginx-conf-sigil-path', 'nginx-service-command', 'proxy-buffer-size', 'proxy-buffering'],
  ...['proxy-buffers', 'proxy-busy-buffers-size', 'proxy-connect-timeout', 'proxy-read-timeout'],
  ...['proxy-send-timeout', 'proxy-keepalive', 'send-timeout', 'underscore-in-headers'],
  ...['x-forwarded-for-value', 'x-forwarded-port-value', 'x-forwarded-proto-value', 'x-forwarded-ssl'],
];

/** What holds where nothing is set. */
const defaults = (app: string): Record<string, string> => ({
  'access-log-path': `/var/log/nginx/${app}-access.log`,
  'bind-address-ipv6': '::',
  'client-body-timeout': '60s',
  'client-header-timeout': '60s',
  'client-max-body-size': '1m',
  'disable-custom-config': 'false',
  'error-log-path': `/var/log/nginx/${app}-error.log`,
  hsts: 'true',
  'hsts-include-subdomains': 'true',
  'hsts-max-age': '15724800',
  'hsts-preload': 'false',
  'keepalive-timeout': '75s',
  'lingering-timeout': '5s',
  'nginx-conf-sigil-path': 'nginx.conf.sigil',
  'proxy-buffer-size': '4k',
  'proxy-buffering': 'on',
  'proxy-buffers': '8 4k',
  'proxy-busy-buffers-size': '8k',
  'proxy-connect-timeout': '60s',
  'proxy-read-timeout': '60s',
  'proxy-send-timeout': '60s',
  'send-timeout': '60s',
  'underscore-in-headers': 'off',
  'x-forwarded-for-value': '$remote_addr',
  'x-forwarded-port-value': '$server_port',
  'x-forwarded-proto-value': '$scheme',
});

export const nginxReport: SandboxCommand = {
  name: 'nginx:report',
  run: (call) =>
    report(call, {
      heading: 'nginx',
      prefix: 'nginx',
      bothKeys: false,
      entries: (app) =>
        Object.entries(valuesOf(app))
          .map(([key, value]) => ({
            flag: `--nginx-${key}`,
            label: `Nginx ${key.replaceAll('-', ' ')}`,
            value,
          }))
          .sort((a, b) => (a.flag < b.flag ? -1 : 1)),
    }),
};

function valuesOf({ name, nginx = {} }: App): Record<string, string> {
  const otherwise = defaults(name);
  const each = keys.flatMap((key) => {
    const set = nginx[key] ?? '';
    return [
      [key, set],
      [`computed-${key}`, set || (otherwise[key] ?? '')],
      [`global-${key}`, ''],
    ];
  });
  return { ...Object.fromEntries(each), 'last-visited-at': '' };
}

/** Takes any text. It holds from the next build of the configuration on. */
export const nginxSet: SandboxCommand = {
  name: 'nginx:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    if (key === '') call.fail('No key specified');
    if (!keys.includes(key)) call.fail(`Invalid key specified, valid keys include: ${keys.join(', ')}`);
    if (key === 'proxy-keepalive' && !/^\d*$/.test(value))
      call.fail('Invalid value for proxy-keepalive: must be an integer');
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
    call.state.changeApp(call.app(name).name, (app) => {
      const { [key]: _before, ...others } = app.nginx ?? {};
      app.nginx = value === '' ? others : { ...others, [key]: value };
    });
    writeProperty(call.app(name).name, key, value);
  },
};

/** A plugin that called this command reads the file in which Dokku keeps the property. */
function writeProperty(app: string, key: string, value: string, lib = process.env.DOKKU_LIB_ROOT): void {
  if (lib === undefined) return;
  const file = join(lib, 'config/nginx', app, key);
  if (value === '') rmSync(file, { force: true });
  else writeText(file, value);
}

export const nginxValidateConfig: SandboxCommand = {
  name: 'nginx:validate-config',
  run: (call) => {
    takeSites(call.state);
    refuseBroken(call, { asked: call.words.find((word) => !word.startsWith('--')) ?? '' });
  },
};

/** nginx serves with the files that lie there. Where it refuses one, it serves on with those before. */
export const nginxReload: SandboxCommand = {
  name: 'nginx:reload',
  since: '0.38.0',
  run: (call) => {
    takeSites(call.state);
    refuseBroken(call);
  },
};
