import type { Call, SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';
import { configureSite } from '../machine/site.ts';

function check(call: Call, domains: readonly string[]): void {
  for (const domain of domains) {
    if (!/^([a-z0-9.*-]*[a-z0-9*-]|_)$/.test(domain.toLowerCase()))
      call.fail(`${domain} is invalid. exiting...`);
  }
}

export const domainsAdd: SandboxCommand = {
  name: 'domains:add',
  run: async (call) => {
    const [name, ...domains] = call.words;
    const app = call.app(name);
    if (domains.length === 0)
      call.fail(`Please specify a domain name. Usage: dokku ${app.name}  <domain> [<domain> ...]`);
    check(call, domains);
    const bornWithout = !app.vhostsEnabled && call.state.settings().globalDomains.length > 0;
    for (const domain of domains) {
      call.say(
        app.vhosts.includes(domain)
          ? `Skipping: ${domain} already added to ${app.name}`
          : `Added ${domain} to ${app.name}`,
      );
    }
    const changed = call.state.changeApp(app.name, (next) => {
      // If the app is older than the global domain, its default domain overwrites the first domain that is added.
      next.vhosts = bornWithout
        ? call.state.settings().globalDomains.map((domain) => `${app.name}.${domain}`)
        : [...new Set([...next.vhosts, ...domains])];
      next.vhostsEnabled = true;
    });
    if (call.state.settings().plugins.some((plugin) => plugin.name === 'letsencrypt')) {
      call.warn('Please run dokku letsencrypt:enable to add https support to the new domain');
    }
    if (bornWithout) await configureSite(call, changed);
    await configureSite(call, changed);
  },
};

/** Dokku passes the domain to grep, so each dot fits any character. */
function fits(domain: string, host: string): boolean {
  return (
    domain.length === host.length && [...host].every((char, at) => domain[at] === '.' || domain[at] === char)
  );
}

export const domainsRemove: SandboxCommand = {
  name: 'domains:remove',
  run: async (call) => {
    const [name, ...domains] = call.words;
    const app = call.app(name);
    for (const domain of domains) call.say(`Removed ${domain} from ${app.name}`);
    const changed = call.state.changeApp(app.name, (next) => {
      next.vhosts = next.vhosts.filter((host) => !domains.some((domain) => fits(domain, host)));
    });
    await configureSite(call, changed);
  },
};

export const domainsSetGlobal: SandboxCommand = {
  name: 'domains:set-global',
  run: (call) => {
    check(call, call.words);
    call.state.change((settings) => {
      settings.globalDomains = [...call.words];
    });
    call.say(`Set ${call.words.join(' ')}`);
  },
};

export const domainsReport: SandboxCommand = {
  name: 'domains:report',
  run: (call) => {
    const { globalDomains } = call.state.settings();
    const global = [
      {
        flag: '--domains-global-enabled',
        label: 'Domains global enabled',
        value: String(globalDomains.length > 0),
      },
      { flag: '--domains-global-vhosts', label: 'Domains global vhosts', value: globalDomains.join(' ') },
    ];
    report(call, {
      heading: 'domains',
      prefix: 'domains',
      bothKeys: false,
      globalEntries: () => global,
      entries: (app) => [
        { flag: '--domains-app-enabled', label: 'Domains app enabled', value: String(app.vhostsEnabled) },
        { flag: '--domains-app-vhosts', label: 'Domains app vhosts', value: app.vhosts.join(' ') },
        ...global,
      ],
    });
  },
};
