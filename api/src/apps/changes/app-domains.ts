import { appName, type DomainName, domains, existingDomain } from '@homeport/dokku';
import type { AppStep } from './on-app.ts';

/** Dokku rewrites nginx’s files and reloads nginx. */
const deadlineMs = 180_000;

export const addition = (longname: string, added: readonly DomainName[]) =>
  domains.add(appName(longname), ...added);

export async function addDomains(
  { run }: AppStep,
  longname: string,
  added: readonly DomainName[],
): Promise<void> {
  await run('apps', addition(longname, added), { deadlineMs });
}

export async function dropDomain({ run }: AppStep, longname: string, domain: string): Promise<void> {
  await run('apps', domains.remove(appName(longname), existingDomain(domain)), { deadlineMs });
}

export async function readDomains({ run }: AppStep, longname: string): Promise<string[]> {
  const report = await run('apps', domains.report(appName(longname)), { quiet: true });
  return [...domains.readReport(report).domains];
}

/**
 * The app’s domains after `domain` was added. For an app that was created without a global domain, Dokku
 * reports success but overwrites the app’s first domain. So a domain that is missing is added once more.
 */
export async function readWithDomain(step: AppStep, longname: string, domain: DomainName): Promise<string[]> {
  const present = await readDomains(step, longname);
  if (present.includes(domain)) return present;
  await addDomains(step, longname, [domain]);
  return readDomains(step, longname);
}
