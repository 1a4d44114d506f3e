import type { Crash } from '@homeport/contract/apps/schema';
import { containersPerApp } from '@homeport/contract/limits';
import type { builds, ps } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Updateable } from 'kysely';
import type { Told } from '../../records/reading-record.ts';

export type Facts = Updateable<Database['apps']>;

/** An app’s state as its server reports it. `missing`: the server no longer has the app. */
export type AppReading =
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
      /** What the plugin told beside the facts; empty without the plugin. */
      told: Partial<Told>;
      /** When Dokku made the app; null: not read. */
      createdAt: number | null;
      /** The server no longer has the plugin that its record names. */
      pluginGone: boolean;
    };

/** What decides the facts, by whatever commands it was read. Undefined: not read, so the recorded value stays. */
export type Read = {
  processes: ps.PsReport;
  builds: readonly builds.Build[];
  pushedAt: number | null | undefined;
  crash: string | null | undefined;
  deployBranch: string | null | undefined;
  addresses: readonly string[] | null;
  /** Whether the app has a certificate. Undefined: not read, so the addresses tell. */
  certificate?: boolean;
  domains: readonly string[] | undefined;
  /** When the server last started the deployed version again. */
  startedAt: number | null | undefined;
};

/** The facts of an app’s record. */
export function factsOf(read: Read): Facts {
  const { processes, builds, pushedAt, crash, deployBranch, addresses, domains, startedAt } = read;
  const https = read.certificate ?? addresses?.some((address) => address.startsWith('https:'));
  const newest = builds.find(({ status }) => status !== 'canceled') ?? null;
  const deployed = reportsDeploy(read);
  const succeeded = builds.find((build) => build.status === 'succeeded');
  const deployedAt = succeeded?.finishedAt ?? (deployed ? pushedAt : null);
  return {
    missing_since: null,
    stopped: processes.stopped,
    ...(crash === undefined ? {} : { crash }),
    ...(deployBranch === undefined ? {} : { deploy_branch: deployBranch }),
    deploy_status: deployStatus(newest, deployed),
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(deployedAt === undefined ? {} : { deployed_at: deployedAt }),
    deploy_failed_at: hasFailed(newest) ? newest.startedAt : null,
    url: deployed ? (addresses?.[0] ?? null) : null,
    ...(https === undefined ? {} : { https }),
    ...(domains === undefined ? {} : { domains: [...domains] }),
  };
}

/** The reads happen at different moments, so a report may not show yet a deploy that has just succeeded. */
export const reportsDeploy = ({ processes, builds }: Pick<Read, 'processes' | 'builds'>) =>
  processes.deployed || builds[0]?.status === 'succeeded';

/** The start dates a failure, because the end may be unknown or known only later. */
const hasFailed = (build: builds.Build | null): build is builds.Build => build?.status === 'failed';

/** A cancelled deploy did not fail: a person ended it. The deploy before it says how the app stands. */
function deployStatus(
  newest: builds.Build | null,
  deployed: boolean,
): 'never' | 'deploying' | 'succeeded' | 'failed' {
  if (!newest || newest.status === 'canceled') return deployed ? 'succeeded' : 'never';
  return newest.status === 'running' ? 'deploying' : newest.status;
}

/** Of a container’s name in a record that lists read whole. */
const containerCharacters = 100;

/** How an app ended, from its containers. Empty where the server does not report how they ended, as on K3s. */
export function crashOf(containers: readonly ps.ContainerState[]): Crash {
  const ended = containers.filter(({ state }) => state !== 'running').slice(0, containersPerApp);
  const times = ended.flatMap(({ endedAt }) => endedAt ?? []);
  return {
    at: times.length > 0 ? Math.max(...times) : null,
    processes: ended.map(({ name, exitCode, restarts, outOfMemory }) => ({
      name: name.slice(0, containerCharacters),
      exitCode,
      restarts,
      outOfMemory,
    })),
  };
}
