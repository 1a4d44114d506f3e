import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import { isTask } from '@homeport/contract/apps/processes/facts';
import { appName, checks, ps } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';

/** Reads what the next deploy does with new and old containers. Two starts of Dokku. */
export async function readChecks({ app, run }: Pick<ReachedApp, 'app' | 'run'>): Promise<AppChecks> {
  const name = appName(app.longname);
  const [report, wanted] = await Promise.all([
    run(checks.report(name), { quiet: true }).then(checks.readReport),
    run(ps.listScale(name), { quiet: true }).then(ps.readScale),
  ]);
  return {
    types: [...wanted.keys()]
      .filter((type) => !isTask(type))
      .map((type) => ({ type, mode: checks.modeOf(report, type) })),
    retireSeconds: report.retireSeconds,
  };
}
