import type { Crash } from '@homeport/contract/apps';
import { type Account, appName, apps, builds, type Command, domains, git, ps } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Updateable } from 'kysely';
import { type Ran, type RemoteConnection, type RunOptions, runCommand } from '../../remote/run-command.ts';

export type Run = (command: Command, options?: RunOptions) => Promise<Ran>;

/** Commands over a live connection as the account, without a log of their own. */
export function quietRun(connection: RemoteConnection, account: Account, signal: AbortSignal): Run {
  return (command, options = {}) => runCommand(connection, account, command, options, signal);
}

type Facts = Updateable<Database['apps']>;

/** What an app’s server says of it. `missing`: it is no longer there. */
export type AppState =
  | { kind: 'missing' }
  | {
      kind: 'present';
      facts: Facts;
      buildId: builds.BuildId | null;
      containerIds: string[];
      /** Changes with the app's containers and deploys, and so with what is read more seldom than the rest. */
      version: string;
    };

/**
 * Reads whether the app runs, when it was last deployed and where it answers: four reads side by side, which is as many as
 * one host should be given at a time, and two more where `before` does not hold their answers. Servers older than Dokku
 * 0.38 keep no deploy history: there `deployed` decides.
 *
 * @param before what was read last; whoever reads again and again saves the server two commands
 */
export async function readAppState(
  run: Run,
  longname: string,
  before: AppState | null = null,
): Promise<AppState> {
  const app = appName(longname);
  const [process, history, urls, domainReport] = await Promise.all([
    run(ps.report(app), { accept: [0, 20] }),
    run(builds.list(app), { accept: 'any' }),
    run(apps.urls(app), { accept: 'any' }),
    run(domains.report(app), { accept: 'any' }),
  ]);
  if (process.exitCode === 20) return { kind: 'missing' };
  const report = ps.readReport(process);
  const list = history.exitCode === 0 ? builds.readList(history) : [];
  const newest = list[0] ?? null;
  const succeeded = list.find((build) => build.status === 'succeeded');
  // The reads are not of one moment: a deploy that has just succeeded may not be in every report yet.
  const deployed = report.deployed || newest?.status === 'succeeded';
  const addresses = urls.exitCode === 0 ? apps.readUrls(urls) : null;
  const version = JSON.stringify([deployed, newest?.id, newest?.status, report.crashed, report.processes]);
  const isKnown = before?.kind === 'present' && before.version === version;
  const seldom = isKnown
    ? {
        crash: before.facts.crash,
        deploy_branch: before.facts.deploy_branch,
        pushedAt: before.facts.deployed_at,
      }
    : await readSeldom(run, app, report, newest?.status === 'running');
  const deployedAt = succeeded?.finishedAt ?? (deployed ? seldom.pushedAt : null);
  return {
    kind: 'present',
    buildId: newest?.id ?? null,
    containerIds: report.processes.map((process) => process.containerId),
    version,
    facts: {
      stopped: report.stopped,
      ...(seldom.crash === undefined ? {} : { crash: seldom.crash }),
      ...(seldom.deploy_branch === undefined ? {} : { deploy_branch: seldom.deploy_branch }),
      deploy_status: deployStatus(newest, deployed),
      ...(deployedAt === undefined ? {} : { deployed_at: deployedAt }),
      deploy_failed_at: hasFailed(newest) ? newest.startedAt : null,
      url: deployed ? (addresses?.[0] ?? null) : null,
      ...(addresses === null ? {} : { https: addresses.some((address) => address.startsWith('https:')) }),
      ...(domainReport.exitCode === 0 ? { domains: [...domains.readReport(domainReport).domains] } : {}),
    },
  };
}

/** One that was cancelled was somebody's wish. When it ended is not always known, and may be said later. */
const hasFailed = (build: builds.Build | null): build is builds.Build => build?.status === 'failed';

/** Undefined: the server did not tell, and what is recorded stays. */
type Seldom = Pick<Facts, 'crash' | 'deploy_branch'> & { pushedAt?: number | null | undefined };

/**
 * The deploy branch, when it was last pushed, and how the app crashed. While a deploy runs, containers end on purpose: that
 * is no crash, nor the end of one.
 */
async function readSeldom(
  run: Run,
  app: ReturnType<typeof appName>,
  report: ps.PsReport,
  deploying: boolean,
): Promise<Seldom> {
  const [gitReport, inspected] = await Promise.all([
    run(git.report(app), { accept: 'any' }),
    report.crashed && !deploying ? run(ps.inspect(app), { accept: 'any', quiet: true }) : null,
  ]);
  const seldom: Seldom = {};
  if (gitReport.exitCode === 0) {
    const { deployBranch, deployBranchSet, lastUpdatedAt } = git.readReport(gitReport);
    const branch = git.branchSchema.safeParse(deployBranch);
    seldom.deploy_branch = deployBranchSet && branch.success ? branch.data : null;
    seldom.pushedAt = lastUpdatedAt;
  }
  if (!report.crashed) seldom.crash = null;
  else if (inspected) seldom.crash = JSON.stringify(crashOf(inspected));
  return seldom;
}

/** K3s does not tell how its pods ended. */
function crashOf(inspected: Ran): Crash {
  const ended = (inspected.exitCode === 0 ? ps.readInspect(inspected) : []).filter(
    ({ state }) => state !== 'running',
  );
  const times = ended.flatMap(({ endedAt }) => endedAt ?? []);
  return {
    at: times.length > 0 ? Math.max(...times) : null,
    processes: ended.map(({ name, exitCode, restarts, outOfMemory }) => ({
      name,
      exitCode,
      restarts,
      outOfMemory,
    })),
  };
}

function deployStatus(
  newest: builds.Build | null,
  deployed: boolean,
): 'never' | 'deploying' | 'succeeded' | 'failed' {
  if (!newest) return deployed ? 'succeeded' : 'never';
  switch (newest.status) {
    case 'running':
      return 'deploying';
    case 'succeeded':
      return 'succeeded';
    case 'failed':
    case 'canceled':
      return 'failed';
  }
}
