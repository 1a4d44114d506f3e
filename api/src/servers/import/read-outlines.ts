import { planWithLimits } from '@homeport/contract/apps/plans';
import { domainsPerApp } from '@homeport/contract/limits';
import type { FoundApp, ImportOffer } from '@homeport/contract/servers/import-schema';
import {
  type AppName,
  acl,
  appName,
  apps,
  domains,
  failureOf,
  type homeport,
  ps,
  resource,
} from '@homeport/dokku';
import { readAppStates } from '../../apps/state/plugin-state.ts';
import type { Run } from '../../apps/state/read-state.ts';
import { ownReason } from '../../remote/own-reason.ts';

type Read = Exclude<ImportOffer, { type: 'found' }>;

/**
 * Reads what each of these apps has: with Homeport’s plugin of all apps in one start of Dokku, without it one
 * app after the other, with cheap commands and at most three at once. An app that cannot be read does not end
 * the reading.
 */
export async function* readOutlines(
  run: Run,
  longnames: readonly string[],
  { plugin }: { plugin: string | null },
): AsyncGenerator<Read> {
  const access = { asked: true };
  const told = plugin === null ? null : await readAppStates(run);
  for (const longname of longnames) yield await readOutline(run, longname, told?.get(longname), access);
}

async function readOutline(
  run: Run,
  longname: string,
  told: homeport.ReportedApp | undefined,
  access: { asked: boolean },
): Promise<Read> {
  try {
    const app = appName(longname);
    const outline = told
      ? toldOutline(app, told, access.asked ? await readPushers(run, app, access) : null)
      : await outlineOf(run, app, access);
    return { type: 'app', app: outline };
  } catch (error) {
    const reason = ownReason(error);
    if (reason === null) throw error;
    return { type: 'unreadable', longname, reason };
  }
}

const toldOutline = (app: AppName, told: homeport.ReportedApp, pushers: string[] | null): FoundApp => ({
  longname: app,
  state: !told.processes.deployed ? 'undeployed' : told.processes.stopped ? 'stopped' : 'running',
  ...told.limits,
  plan: planWithLimits(told.limits),
  domains: told.domains.slice(0, domainsPerApp),
  source: sourceOf(told),
  pushers,
});

/** A push names its commit only. The other sources name what they fetched. */
const sourceOf = (app: Pick<homeport.ReportedApp, 'deploySource' | 'deploySourceMetadata'>): string | null =>
  app.deploySource === 'git-push' ? null : app.deploySourceMetadata || null;

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
  const limits = resource.readReport(limitReport);
  return {
    longname: app,
    state: !ps.readFlag(deployed) ? 'undeployed' : ps.readFlag(restored) ? 'running' : 'stopped',
    ...limits,
    plan: planWithLimits(limits),
    domains: domains.readReport(domainReport).domains.slice(0, domainsPerApp),
    source: sourceOf(apps.readReport(report)),
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
