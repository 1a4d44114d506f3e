import { existsSync } from 'node:fs';
import { type Call, Exit, type SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';
import { frontPort, portsInForce } from '../machine/routes.ts';
import { configureSite } from '../machine/site.ts';
import type { App } from '../machine/state.ts';

const keys = ['dns-provider', 'email', 'graceperiod', 'server', 'lego-args', 'lego-docker-options'];
const defaultServer = 'https://acme-v02.api.letsencrypt.org/directory';

export const letsencryptSet: SandboxCommand = {
  name: 'letsencrypt:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    const app = name === '--global' ? null : call.app(name);
    if (!keys.includes(key)) {
      call.fail(
        'Invalid key specified, valid keys include: dns-provider, dns-provider-*, email, graceperiod, server, lego-args, lego-docker-options',
      );
    }
    if (key === 'email' && app)
      call.state.changeApp(app.name, (next) => {
        next.certificate.email = value;
      });
    if (key === 'server' && app)
      call.state.changeApp(app.name, (next) => {
        next.certificate.server = value;
      });
    if (!app)
      call.state.change((settings) => {
        if (key === 'email') settings.certificateEmail = value;
        if (key === 'server') settings.certificateServer = value;
      });
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
  },
};

/** Asks no authority; the certificate is only a date. The fault `certificate` makes the request fail like a name that does not resolve. */
export const letsencryptEnable: SandboxCommand = {
  name: 'letsencrypt:enable',
  run: async (call) => {
    const [name = ''] = call.words.filter((word) => !word.startsWith('--'));
    if (name === '') call.fail('App  does not exist', 20);
    const app = call.app(name);
    if (app.vhosts.length === 0) call.fail(`No domains detected for ${name}`);
    const email = app.certificate.email || call.state.settings().certificateEmail;
    call.title(`Enabling letsencrypt for ${name}`);
    if (email === '') {
      call.warn('ERROR: Cannot request a certificate without an e-mail address!');
      call.warn('  please provide your e-mail address using');
      call.warn(`  dokku letsencrypt:set ${name} email <e-mail>`);
      throw new Exit(1);
    }
    const same = [...app.vhosts].sort().join() === [...(app.certificate.domains ?? app.vhosts)].sort().join();
    if (app.certificate.expiresAtSeconds !== null && same && !call.force) {
      call.say(`Certificate is still valid for ${name}, skipping certificate request`);
      return call.say('Pass --force to letsencrypt:enable to request a new certificate anyway');
    }
    await addChallengePort(call, app);
    call.say(`Enabling ACME proxy for ${name}...`);
    call.say(`Getting letsencrypt certificate for ${name} via HTTP-01`);
    for (const domain of app.vhosts) call.err(`        - Domain '${domain}'`);
    await call.pause(8_000);
    if (existsSync(call.state.paths.fault('certificate'))) return refuse(call, name, app.vhosts[0] ?? '');
    call.detail(`${clientTime()} [INFO] [${app.vhosts[0] ?? ''}] Server responded with a certificate.`);
    call.say('Certificate retrieved successfully.');
    call.say("Installing let's encrypt certificates");
    const expires = Math.floor(Date.now() / 1000) + 90 * 86_400;
    const changed = call.state.changeApp(name, (next) => {
      next.certificate = { ...next.certificate, expiresAtSeconds: expires, domains: next.vhosts };
      next.ports = withHttps(next.ports);
    });
    await configureSite(call, changed);
    if (changed.deployedAtSeconds !== null) call.say(`Ensuring network configuration is in sync for ${name}`);
    await configureSite(call, changed);
    call.say(`Disabling ACME proxy for ${name}...`);
    call.say('Done');
  },
};

/** The authority asks on port 80, so the plugin maps this port. The mapping stays, whatever the authority says. */
async function addChallengePort(call: Call, app: App): Promise<void> {
  const inForce = portsInForce(call.state, app).map((mapping) => mapping.split(':'));
  if (inForce.some(([scheme, host]) => scheme === 'http' && isWebPort(call, host))) return;
  const mapping = `http:80:${inForce[0]?.[2] ?? 5000}`;
  call.say(`Adding ${mapping} port mapping to ${app.name} for ACME HTTP-01 challenge...`);
  const changed = call.state.changeApp(app.name, (next) => void next.ports.push(mapping));
  await configureSite(call, changed);
}

const isWebPort = (call: Call, port: string | undefined) =>
  port === '80' || port === String(frontPort(call.state));

/** A mapping for http gets one for https beside it, but only where mappings were set. */
function withHttps(ports: readonly string[]): string[] {
  if (ports.some((mapping) => mapping.startsWith('https:'))) return [...ports];
  const container = ports.find((mapping) => mapping.startsWith('http:80:'))?.split(':')[2];
  return container === undefined ? [...ports] : [...ports, `https:443:${container}`];
}

function refuse(call: Call, name: string, domain: string): never {
  call.detail(
    `${clientTime()} error: one or more domains had a problem: [${domain}] acme: error: 400 :: urn:ietf:params:acme:error:dns :: DNS problem: NXDOMAIN looking up A for ${domain}`,
  );
  call.say('Certificate retrieval failed!');
  call.say(`Disabling ACME proxy for ${name}...`);
  call.warn('Failed to setup letsencrypt');
  call.fail('Check log output for further information on failure');
}

/** The time at the start of the ACME client's lines: `2026/11/21 07:46:44`. */
function clientTime(): string {
  return new Date().toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
}

export const letsencryptActive: SandboxCommand = {
  name: 'letsencrypt:active',
  run: (call) => call.out(String(call.app(call.words[0]).certificate.expiresAtSeconds !== null)),
};

export const letsencryptCronJob: SandboxCommand = {
  name: 'letsencrypt:cron-job',
  run: (call) => {
    if (call.words[0] === '--add') {
      call.state.change((settings) => {
        settings.certificateCron = true;
      });
      return call.say("Added cron job to dokku's crontab.");
    }
    if (call.state.settings().certificateCron) return call.title('Auto-renew cron job is enabled');
    call.title('Auto-renew cron job is not enabled');
    call.detail("Run 'dokku letsencrypt:cron-job --add' to enable.");
  },
};

export const letsencryptReport: SandboxCommand = {
  name: 'letsencrypt:report',
  run: (call) =>
    report(call, {
      heading: 'letsencrypt',
      prefix: 'letsencrypt',
      bothKeys: false,
      inOrder: true,
      entries: ({ certificate }) => {
        const settings = call.state.settings();
        const values: Record<string, string> = {
          active: String(certificate.expiresAtSeconds !== null),
          autorenew: String(settings.certificateCron),
          ...scoped('dns-provider'),
          ...scoped('email', certificate.email, settings.certificateEmail),
          expiration: String(certificate.expiresAtSeconds ?? ''),
          ...scoped('graceperiod', '', '', '2592000'),
          ...scoped('lego-args'),
          ...scoped('lego-docker-options'),
          ...scoped('server', certificate.server, settings.certificateServer, defaultServer),
        };
        return Object.entries(values).map(([key, value]) => ({
          flag: `--letsencrypt-${key}`,
          label: `Letsencrypt ${key.replaceAll('-', ' ')}`,
          value,
        }));
      },
    }),
};

/** A setting in the plugin's report: the value in force, the server's value, the app's value. */
function scoped(key: string, own = '', global = '', standard = ''): Record<string, string> {
  return { [`computed-${key}`]: own || global || standard, [`global-${key}`]: global, [key]: own };
}
