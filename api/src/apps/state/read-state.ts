import type { Crash } from '@homeport/contract/apps/schema';
import { type Account, appName, apps, builds, type Command, domains, git, ps } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Updateable } from 'kysely';
import { type Ran, type RemoteConnection, type RunOptions, runCommand } from '../../remote/run-command.ts';

export type Run = (command: Command, options?: RunOptions) => Promise<Ran>;

/** Runs commands as the account over a live connection, without an operation’s log. */
export function quietRun(connection: RemoteConnection, account: Account, signal: AbortSignal): Run {
  return (command, options = {}) => runCommand(connection, account, command, options, signal);
}

type Facts = Updateable<Database['apps']>;

/** An app’s state as its server reports it. `missing`: the server no longer has the app. */
export type AppState =
  | { kind: 'missing' }
  | {
      kind: 'present';
      facts: Facts;
      buildId: builds.BuildId | null;
      containerIds: string[];
      /**
       * Changes when the app's containers or deploys change. Only then are the facts of `Seldom` read again.
       */
      version: string;
    };

/**
 * Reads whether the app runs, when it was last deployed and where it answers. Four reads run at once, which
 * is the most that one server should be given. Two more follow if `before` does not hold their answers. Dokku
 * before 0.38 keeps no deploy history: there `deployed` decides.
 *
 * @param before the state that was read last; with it, a repeated read saves the server two commands
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
  // The reads happen at different moments, so a report may not show yet a deploy that has just succeeded.
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
      ...(history.exitCode === 0 ? { started_at: builds.readLastStart(history) } : {}),
      ...(deployedAt === undefined ? {} : { deployed_at: deployedAt }),
      deploy_failed_at: hasFailed(newest) ? newest.startedAt : null,
      url: deployed ? (addresses?.[0] ?? null) : null,
      ...(addresses === null ? {} : { https: addresses.some((address) => address.startsWith('https:')) }),
      ...(domainReport.exitCode === 0 ? { domains: [...domains.readReport(domainReport).domains] } : {}),
    },
  };
}

/**
 * A cancelled deploy did not fail: a person ended it. The start dates a failure, because the end may be
 * unknown or known only later.
 */
const hasFailed = (build: builds.Build | null): build is builds.Build => build?.status === 'failed';

/** Undefined: the server did not answer, so the recorded value stays. */
type Seldom = Pick<Facts, 'crash' | 'deploy_branch'> & { pushedAt?: number | null | undefined };

/**
 * Reads the deploy branch, the time of the last push, and how the app crashed. While a deploy runs,
 * containers end on purpose: such an end is no crash, and the recorded crash stays.
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

/** K3s does not report how its pods ended. */
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
