import { planOf, planWithLimits } from '@homeport/contract/apps/plans';
import { type AppName, appName, apps, resource } from '@homeport/dokku';
import type { Owner, Store } from '@homeport/store';
import type { AppRow } from '../../records/app-record.ts';
import { ownReason } from '../../remote/own-reason.ts';
import { type Run, readAppState } from './read-state.ts';
import { recordAppState } from './record-state.ts';

/**
 * Reads everything that Homeport records of an app that was made elsewhere: its state, its domains, its age
 * and its limits. `missing`: the server no longer has the app, and its record says so.
 */
export async function readImportedApp(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  app: AppRow,
  run: Run,
): Promise<'read' | 'missing'> {
  const name = appName(app.longname);
  const state = await readAppState(run, app.longname, { plugin: app.server_plugin });
  if (state.kind === 'missing') {
    await recordAppState(store, owner, app, state);
    return 'missing';
  }
  const { createdAt, limits } = state.told.resources
    ? { createdAt: state.createdAt, limits: state.told.resources }
    : await readAgeAndLimits(run, name);
  await recordAppState(store, owner, app, {
    ...state,
    facts: {
      ...state.facts,
      ...(createdAt === null ? {} : { created_at: createdAt }),
      plan: planOfImported(app, limits),
      unread: false,
    },
  });
  return 'read';
}

async function readAgeAndLimits(
  run: Run,
  name: AppName,
): Promise<{ createdAt: number | null; limits: resource.Limits }> {
  const [report, limits] = await Promise.all([
    run(apps.report(name), { accept: 'any', quiet: true }),
    run(resource.report(name), { quiet: true }),
  ]);
  return {
    createdAt: report.exitCode === 0 ? apps.readReport(report).createdAt : null,
    limits: resource.readReport(limits),
  };
}

/** As `readImportedApp`, for a reader that goes on where this app cannot be read. */
export async function readUnlessUnreadable(...args: Parameters<typeof readImportedApp>): Promise<void> {
  try {
    await readImportedApp(...args);
  } catch (error) {
    if (ownReason(error) === null) throw error;
  }
}

/**
 * Plan 0 is given by Homeport alone, because a person has it for two apps at most. So an app has plan 0 only
 * if its record says so already.
 */
function planOfImported({ plan }: Pick<AppRow, 'plan'>, limits: resource.Limits): number | null {
  if (plan !== null) {
    const { memoryMb, cpus } = planOf(plan);
    if (memoryMb === limits.memoryMb && cpus === limits.cpus) return plan;
  }
  return planWithLimits(limits) || null;
}
