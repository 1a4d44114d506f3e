import { isTask } from '@homeport/contract/apps/processes/facts';
import { type AppName, ps } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';

type Run = Pick<StepContext<unknown>, 'run'>;

/** How many processes of each type the server wants now. */
export async function wantedNow(context: Run, app: AppName): Promise<ReadonlyMap<string, number>> {
  return ps.readScale(await context.run('apps', ps.listScale(app), { quiet: true }));
}

/** How many are wanted of a type, which the app has to have: Dokku would run the postdeploy task for one that it has not. */
export function wantedOf(wanted: ReadonlyMap<string, number>, type: string): number {
  const quantity = isTask(type) ? undefined : wanted.get(type);
  if (quantity === undefined)
    throw new ProblemError('conflict', `The app has no process ${type} by now. Nothing was changed.`);
  return quantity;
}

/** Whether somebody stopped the app. Its next start brings all its processes back. */
export async function isStopped(context: Run, app: AppName): Promise<boolean> {
  return !ps.readFlag(await context.run('apps', ps.reportFlag(app, 'restore'), { quiet: true }));
}
