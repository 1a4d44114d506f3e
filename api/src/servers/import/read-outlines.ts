import { planWithLimits } from '@homeport/contract/apps/plans';
import { domainsPerApp } from '@homeport/contract/limits';
import type { FoundApp, ImportOffer } from '@homeport/contract/servers/import-schema';
import { type AppName, acl, appName, apps, domains, failureOf, ps, resource } from '@homeport/dokku';
import type { Run } from '../../apps/state/read-state.ts';
import { ownReason } from '../../remote/own-reason.ts';

type Read = Exclude<ImportOffer, { type: 'found' }>;

/**
 * Reads what each of these apps has, one app after the other, with cheap commands and at most three at once.
 * An app that cannot be read does not end the reading.
 */
export async function* readOutlines(run: Run, longnames: readonly string[]): AsyncGenerator<Read> {
  const access = { asked: true };
  for (const longname of longnames) yield await readOutline(run, longname, access);
}

async function readOutline(run: Run, longname: string, access: { asked: boolean }): Promise<Read> {
  try {
    return { type: 'app', app: await outlineOf(run, appName(longname), access) };
  } catch (error) {
    const reason = ownReason(error);
    if (reason === null) throw error;
    return { type: 'unreadable', longname, reason };
  }
}

async function outlineOf(run: Run, app: AppName, access: { asked: boolean }): Promise<FoundApp> {
  const [report, limitReport, domainReport] = await Promise.all([
    run(apps.report(app)),
    run(resource.report(app)),
    run(domains.report(app)),
  ]);
  const [deployed, restored, pushers] = await Promise.all([
    run(ps.reportFlag(app, 'deployed')),
    run(ps.reportFlag(app, 'restore')),
    access.asked ? readPushers(run, app, access) : null,
  ]);
  const { deploySource, deploySourceMetadata } = apps.readReport(report);
  const limits = resource.readReport(limitReport);
  return {
    longname: app,
    state: !ps.readFlag(deployed) ? 'undeployed' : ps.readFlag(restored) ? 'running' : 'stopped',
    ...limits,
    plan: planWithLimits(limits),
    domains: domains.readReport(domainReport).domains.slice(0, domainsPerApp),
    // A push names its commit only. The other sources name what they fetched.
    source: deploySource === 'git-push' ? null : deploySourceMetadata || null,
    pushers,
  };
}

/** Null where every key of the server may push: without the acl plugin, or with nobody listed. */
async function readPushers(run: Run, app: AppName, access: { asked: boolean }): Promise<string[] | null> {
  const listed = await run(acl.list(app), { accept: 'any' });
  if (failureOf(listed)?.code === 'command_unknown') access.asked = false;
  if (listed.exitCode !== 0) return null;
  const users = acl.readList(listed);
  return users.length === 0 ? null : users;
}
