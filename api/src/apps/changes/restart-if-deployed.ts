import { appName, ps } from '@homeport/dokku';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';

export const restartOf = ({ longname }: { longname: string }) => ps.restart(appName(longname));

/** Restarts an app that runs, because limits and mounts take effect in new containers only. */
export async function restartIfDeployed(
  context: StepContext<{ longname: string }>,
): Promise<StepOutcome | undefined> {
  const app = appName(context.input.longname);
  const report = ps.readReport(await context.run('apps', ps.report(app), { quiet: true }));
  if (!report.deployed || report.stopped)
    return { state: 'skipped', note: 'The app is not running. The change takes effect when the app starts.' };
  await context.run('apps', restartOf(context.input), { deadlineMs: 10 * 60_000 });
  return undefined;
}
