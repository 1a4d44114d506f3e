import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { DomainName } from '../names/domain-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

/**
 * Repeatable. If an app is older than the server's global domain, Dokku reports success for its first domain and then overwrites
 * that domain. So read the report afterwards and add the domain again.
 */
export function add(app: AppName, ...domains: readonly DomainName[]): Command {
  return dokku('domains:add', app, ...domains);
}

/** Reports nothing for an absent domain. Dots match any character, so `a.b.c` also removes `aXb.c`. */
export function remove(app: AppName, domain: DomainName): Command {
  return dokku('domains:remove', app, domain);
}

export function report(app: AppName): Command {
  return dokku('domains:report', app, '--format', 'json');
}

/** Takes effect for apps that are created afterwards. */
export function setGlobal(domain: DomainName): Command {
  return dokku('domains:set-global', domain);
}

/** The domains beneath which every new app gets its first ones. Dokku 0.38 or later. */
export function globalReport(): Command {
  return dokku('domains:report', '--global', '--format', 'json');
}

/** Empty when the server has no global domain. */
export function readGlobalReport(outcome: Outcome): string[] {
  const report = readJson('domains:report', outcome.stdout, reportSchema);
  return reportValue(report, 'domains', 'global-vhosts')
    .split(' ')
    .filter((domain) => domain !== '');
}

export type DomainsReport = {
  readonly domains: readonly string[];
};

export function readReport(outcome: Outcome): DomainsReport {
  const report = readJson('domains:report', outcome.stdout, reportSchema);
  const domains = reportValue(report, 'domains', 'app-vhosts').split(' ');
  return { domains: domains.filter((domain) => domain !== '') };
}
