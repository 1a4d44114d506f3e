import { type Account, appName, apps, builds, type Command, domains, ps } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Updateable } from 'kysely';
import { type Ran, type RemoteConnection, type RunOptions, runCommand } from '../../remote/run-command.ts';

export type Run = (command: Command, options?: RunOptions) => Promise<Ran>;

/** Commands over a live connection as the account, without a log of their own. */
export function quietRun(connection: RemoteConnection, account: Account, signal: AbortSignal): Run {
  return (command, options = {}) => runCommand(connection, account, command, options, signal);
}

/** What an app’s server says of it. `missing`: it is no longer there. */
export type AppState =
  | { kind: 'missing' }
  | {
      kind: 'present';
      facts: Updateable<Database['apps']>;
      buildId: builds.BuildId | null;
      containerIds: string[];
    };

/**
 * Reads whether the app runs, when it was last deployed and where it answers: four reads side by side, which is as many as
 * one host should be given at a time. Servers older than Dokku 0.38 keep no deploy history: there `deployed` decides.
 */
export async function readAppState(run: Run, longname: string): Promise<AppState> {
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
  return {
    kind: 'present',
    buildId: newest?.id ?? null,
    containerIds: report.processes.map((process) => process.containerId),
    facts: {
      stopped: report.stopped,
      deploy_status: deployStatus(newest, deployed),
      deployed_at: succeeded?.finishedAt ?? null,
      deploy_failed_at: hasFailed(newest) ? newest.startedAt : null,
      url: deployed ? (addresses?.[0] ?? null) : null,
      ...(addresses === null ? {} : { https: addresses.some((address) => address.startsWith('https:')) }),
      ...(domainReport.exitCode === 0 ? { domains: [...domains.readReport(domainReport).domains] } : {}),
    },
  };
}

/** One that was cancelled was somebody's wish. When it ended is not always known, and may be said later. */
const hasFailed = (build: builds.Build | null): build is builds.Build => build?.status === 'failed';

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
