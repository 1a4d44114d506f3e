import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import { isTask } from '@homeport/contract/apps/processes/facts';
import { type AppName, appName, checks, ownChecks, ps, UnreadableOutputError } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';

type Reached = Pick<ReachedApp, 'app' | 'run'>;

/** Reads what the next deploy does with new and old containers. Two starts of Dokku, and a third one with Homeport’s plugin. */
export async function readChecks(reached: Reached): Promise<AppChecks> {
  const { app, run } = reached;
  const name = appName(app.longname);
  const [report, wanted, own] = await Promise.all([
    run(checks.report(name), { quiet: true }).then(checks.readReport),
    run(ps.listScale(name), { quiet: true }).then(ps.readScale),
    readOwn(reached, name),
  ]);
  return {
    types: [...wanted.keys()]
      .filter((type) => !isTask(type))
      .map((type) => ({
        ...{ type, mode: checks.modeOf(report, type) },
        ...(own.checks.get(type) ?? { own: [], more: 0 }),
      })),
    ...{ manifest: own.manifest, checksFile: own.checksFile, retireSeconds: report.retireSeconds },
  };
}

/**
 * An addition to the modes: no answer of the plugin keeps them from the page. A plugin before 1.13 does not know the command, and is no
 * missing plugin.
 */
async function readOwn({ app, run }: Reached, name: AppName): Promise<ownChecks.OwnChecks> {
  if (app.server_plugin === null) return ownChecks.noOwnChecks;
  const options = { accept: 'any', quiet: true, maxOutputBytes: 256 * 1024 } as const;
  const ran = await run(ownChecks.ownChecks(name), options);
  if (ran.exitCode !== 0) return ownChecks.noOwnChecks;
  try {
    return ownChecks.readOwnChecks(ran, name);
  } catch (error) {
    if (error instanceof UnreadableOutputError) return ownChecks.noOwnChecks;
    throw error;
  }
}
