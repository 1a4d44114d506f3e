import { type Account, type AppName, appName, apps, builds, domains, git, ps } from '@homeport/dokku';
import { type RemoteConnection, type Run, runCommand } from '../../remote/run-command.ts';
import { type AppReading, crashOf, factsOf, reportsDeploy } from './app-state.ts';
import { readThroughPlugin } from './plugin-state.ts';

export type { AppReading, Run };

/** Runs commands as the account over a live connection, without an operation’s log. */
export function quietRun(connection: RemoteConnection, account: Account, signal: AbortSignal): Run {
  return (command, options = {}) => runCommand(connection, account, command, options, signal);
}

export type ReadOptions = {
  /** The state that was read last; with it, a repeated read without the plugin saves the server two commands. */
  before?: AppReading | null;
  /** The version of Homeport’s plugin on the server, as its record has it; null: none. */
  plugin?: string | null;
};

/**
 * Reads whether the app runs, when it was last deployed and where it answers: through Homeport’s own plugin
 * in one start of Dokku, without the plugin by Dokku’s own reports.
 */
export async function readAppState(
  run: Run,
  longname: string,
  { before = null, plugin = null }: ReadOptions = {},
): Promise<AppReading> {
  const told = plugin === null ? null : await readThroughPlugin(run, longname);
  if (told?.kind === 'present' || told?.kind === 'missing') return told;
  const state = await readByReports(run, longname, before);
  return state.kind === 'present' ? { ...state, pluginGone: told?.kind === 'absent' } : state;
}

/**
 * Four reads run at once, which is the most that one server should be given. Each asks for one field where
 * the whole report costs the server much more. Dokku before 0.38 keeps no deploy history: there `deployed`
 * decides.
 */
async function readByReports(run: Run, longname: string, before: AppReading | null): Promise<AppReading> {
  const app = appName(longname);
  const [deployedFlag, history, urls, domainReport] = await Promise.all([
    run(ps.reportFlag(app, 'deployed'), { accept: [0, 20] }),
    run(builds.list(app), { accept: 'any' }),
    run(apps.urls(app), { accept: 'any' }),
    run(domains.report(app), { accept: 'any' }),
  ]);
  if (deployedFlag.exitCode === 20) return { kind: 'missing' };
  const list = history.exitCode === 0 ? builds.readList(history) : [];
  const newest = list[0] ?? null;
  const { processes, containers } = await readProcesses(run, app, ps.readFlag(deployedFlag));
  const read = { processes, builds: list };
  const version = JSON.stringify([
    reportsDeploy(read),
    newest?.id,
    newest?.status,
    processes.crashed,
    processes.processes,
  ]);
  const isSame = before?.kind === 'present' && before.version === version;
  const { deployBranch, pushedAt } = isSame
    ? { deployBranch: before.facts.deploy_branch, pushedAt: before.facts.deployed_at }
    : await readBranch(run, app);
  return {
    kind: 'present',
    buildId: newest?.id ?? null,
    containerIds: processes.processes.map(({ containerId }) => containerId),
    version,
    told: {},
    createdAt: null,
    pluginGone: false,
    facts: factsOf({
      ...read,
      pushedAt,
      // While a deploy runs, containers end on purpose: the recorded crash stays.
      crash: !processes.crashed
        ? null
        : newest?.status === 'running'
          ? undefined
          : JSON.stringify(crashOf(containers)),
      deployBranch,
      addresses: urls.exitCode === 0 ? apps.readUrls(urls) : null,
      startedAt: history.exitCode === 0 ? builds.readLastStart(history) : undefined,
      domains: domainReport.exitCode === 0 ? domains.readReport(domainReport).domains : undefined,
    }),
  };
}

/** The containers, which an app has once it was deployed. K3s does not report its pods; there one flag tells whether they run. */
async function readProcesses(
  run: Run,
  app: AppName,
  deployed: boolean,
): Promise<{ processes: ps.PsReport; containers: ps.ContainerState[] }> {
  if (!deployed) return { processes: ps.undeployed, containers: [] };
  const [restored, inspected] = await Promise.all([
    run(ps.reportFlag(app, 'restore'), { accept: 'any' }),
    run(ps.inspect(app), { accept: 'any', quiet: true }),
  ]);
  const containers = inspected.exitCode === 0 ? ps.readInspect(inspected) : [];
  const running =
    containers.length > 0
      ? null
      : ps.readRunning(await run(ps.reportFlag(app, 'running'), { accept: 'any' }));
  return {
    processes: ps.reportOf({
      restore: restored.exitCode !== 0 || ps.readFlag(restored),
      containers,
      running,
    }),
    containers,
  };
}

/** The deploy branch and the time of the last push. Undefined: the server did not answer. */
async function readBranch(
  run: Run,
  app: AppName,
): Promise<{ deployBranch: string | null | undefined; pushedAt: number | null | undefined }> {
  const report = await run(git.report(app), { accept: 'any' });
  if (report.exitCode !== 0) return { deployBranch: undefined, pushedAt: undefined };
  const { deployBranch, deployBranchSet, lastUpdatedAt } = git.readReport(report);
  const branch = git.branchSchema.safeParse(deployBranch);
  return { deployBranch: deployBranchSet && branch.success ? branch.data : null, pushedAt: lastUpdatedAt };
}
