import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { DomainName } from '../names/domain-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

/**
 * Repeatable. The first domain of an app that was born before the server had a global domain reports success and is
 * then overwritten: read the report afterwards and add again.
 */
export function add(app: AppName, ...domains: readonly DomainName[]): Command {
  return dokku('domains:add', app, ...domains);
}

/** Silent about an absent domain. Dots match any character: `a.b.c` also removes `aXb.c`. */
export function remove(app: AppName, domain: DomainName): Command {
  return dokku('domains:remove', app, domain);
}

export function report(app: AppName): Command {
  return dokku('domains:report', app, '--format', 'json');
}

/** For apps created afterwards. */
export function setGlobal(domain: DomainName): Command {
  return dokku('domains:set-global', domain);
}

export function reportGlobal(): Command {
  return dokku('domains:report', '--global', '--format', 'json');
}

export type DomainsReport = {
  readonly enabled: boolean;
  readonly domains: readonly string[];
  readonly globalDomains: readonly string[];
};

export function readReport(outcome: Outcome): DomainsReport {
  const report = readJson('domains:report', outcome.stdout, reportSchema);
  const words = (key: string) =>
    reportValue(report, 'domains', key)
      .split(' ')
      .filter((word) => word !== '');
  return {
    enabled: reportValue(report, 'domains', 'app-enabled') === 'true',
    domains: words('app-vhosts'),
    globalDomains: words('global-vhosts'),
  };
}
