import type { SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';
import { configureSite } from '../machine/site.ts';

const values: Record<string, string> = {
  'computed-disabled': 'false',
  'computed-proxy-port': '',
  'computed-proxy-ssl-port': '',
  'computed-type': 'nginx',
  disabled: '',
  enabled: 'true',
  'global-proxy-port': '',
  'global-proxy-ssl-port': '',
  'global-type': '',
  'proxy-port': '',
  'proxy-ssl-port': '',
  type: '',
};

export const proxyReport: SandboxCommand = {
  name: 'proxy:report',
  run: (call) =>
    report(call, {
      heading: 'proxy',
      prefix: 'proxy',
      bothKeys: true,
      entries: (app) =>
        Object.entries({
          ...values,
          ...(app.deployedAtSeconds === null ? {} : { 'computed-proxy-port': '80', 'proxy-port': '80' }),
        }).map(([key, value]) => ({
          flag: `--proxy-${key}`,
          label: `Proxy ${key.replaceAll('-', ' ')}`,
          value,
        })),
    }),
};

export const proxyBuildConfig: SandboxCommand = {
  name: 'proxy:build-config',
  run: async (call) => {
    const app = call.app(call.words[0]);
    // Go starts the plugin of nginx, and prints once more what that said where it failed.
    call.say(`Ensuring network configuration is in sync for ${app.name}`);
    await configureSite(call, app, { toldTwice: true });
  },
};
