import { appName, type builds, git, homeport } from '@homeport/dokku';
import type { Told } from '../../records/reading-record.ts';
import type { Run } from '../../remote/run-command.ts';
import { type AppReading, crashOf, factsOf, reportsDeploy } from './app-state.ts';
import { processesOf } from './read-processes.ts';
import { readmeOf } from './readme-of.ts';

/**
 * Reads an app through Homeport’s own plugin: one start of Dokku. `absent`: the server has no such plugin.
 * `unknown`: the plugin cannot tell of this app, whose containers another program than Docker runs or of which
 * Docker did not answer; Dokku’s reports can.
 */
export async function readThroughPlugin(
  run: Run,
  longname: string,
): Promise<AppReading | { kind: 'absent' | 'unknown' }> {
  const ran = await run(homeport.state(appName(longname)), {
    accept: (outcome) => outcome.exitCode === 20 || homeport.isAbsent(outcome),
    quiet: true,
  });
  if (ran.exitCode === 20) return { kind: 'missing' };
  if (ran.exitCode !== 0) return { kind: 'absent' };
  const app = homeport.readState(ran);
  return app && isKnown(app) ? stateOf(app, ran.record.account) : { kind: 'unknown' };
}

const isKnown = (app: homeport.ReportedApp) => app.scheduler === 'docker-local' && app.containers !== null;

/**
 * What the plugin tells of all apps of a server, by their names, in one start of Dokku. Null where the server
 * has no plugin. Leaves out apps that only Dokku’s reports know.
 */
export async function readAppStates(run: Run): Promise<ReadonlyMap<string, homeport.ReportedApp> | null> {
  const ran = await run(homeport.states(), {
    accept: homeport.isAbsent,
    quiet: true,
    deadlineMs: 120_000,
    maxOutputBytes: 16 * 1024 * 1024,
  });
  if (ran.exitCode !== 0) return null;
  const apps = (await homeport.readStates(ran)).filter(isKnown);
  return new Map(apps.map((app) => [app.name, app]));
}

/** `account`: the user on the server whom the readme was read as. */
function stateOf(app: homeport.ReportedApp, account: string): AppReading {
  const { processes, containers, addresses, certificate, domains } = app;
  const builds = app.builds ?? [];
  const branch = git.branchSchema.safeParse(app.git.deployBranch);
  // While a deploy runs, containers end on purpose: the recorded crash stays.
  const crash = processes.crashed
    ? builds[0]?.status === 'running'
      ? undefined
      : JSON.stringify(crashOf(containers ?? []))
    : null;
  const read = {
    processes,
    builds,
    pushedAt: app.git.lastUpdatedAt,
    crash,
    deployBranch: app.git.deployBranchSet && branch.success ? branch.data : null,
    addresses,
    certificate,
    domains,
    startedAt: app.builds === null ? undefined : app.lastStart,
  };
  return {
    kind: 'present',
    facts: factsOf(read),
    buildId: builds[0]?.id ?? null,
    containerIds: processes.processes.map(({ containerId }) => containerId),
    version: JSON.stringify([reportsDeploy(read), builds[0]?.id, builds[0]?.status, processes.crashed]),
    told: toldOf(app, account),
    createdAt: app.createdAt,
    pluginGone: false,
  };
}

function toldOf(app: homeport.ReportedApp, account: string): Partial<Told> {
  const { processes, containers, builds, limits, hostCpus, mounts, readme } = app;
  const processTypes = processesOf(app);
  return {
    // Without a folder there is nothing to measure.
    ...(mounts?.length === 0 ? { storage: [] } : {}),
    ...(readme === undefined
      ? {}
      : { readme: readme === null ? { kind: 'none', account } : readmeOf(readme, account) }),
    ...(processTypes ? { processes: processTypes } : {}),
    deploys: {
      supported: builds !== null,
      deploys: deploysOf(builds ?? [], app.commits),
      releases: releasesOf(app),
    },
    resources: {
      memoryMb: limits.memoryMb,
      cpus: limits.cpus,
      hostCpus,
      containers: [...(containers ?? [])],
    },
    system: {
      processes: processes.processes.map(({ name, state, containerId }) => ({ name, state, containerId })),
      source: app.deploySource || null,
      sourceDetail: app.deploySourceMetadata || null,
      deployBranch: app.git.deployBranch,
      ports: app.ports.map(({ scheme, hostPort, containerPort }) => `${scheme}:${hostPort}:${containerPort}`),
      proxy: app.proxy,
      site: app.site,
      createdAt: app.createdAt,
      published: app.listed && [...app.listed.published],
      upcoming: app.listed && [...app.listed.upcoming],
    },
  };
}

function deploysOf(
  records: readonly builds.Build[],
  commits: homeport.ReportedApp['commits'],
): Told['deploys']['deploys'] {
  const byBuild = new Map(commits.map((commit) => [commit.build, commit]));
  return records.map(({ id, source, status, startedAt, finishedAt }) => {
    const found = byBuild.get(id);
    const commit = found
      ? { sha: found.commit, title: found.title || null, author: found.author || null }
      : null;
    return { id, source, status, startedAt, finishedAt, commit };
  });
}

/** From what is kept itself: Dokku's record of such a deploy may be gone. */
function releasesOf({
  releases: { kept, serving, known, cutOff },
}: homeport.ReportedApp): Told['deploys']['releases'] {
  return {
    kept: kept.map(({ id, commit, title, author, keptAt, bytes, holdsVariables }) => ({
      ...{ id, keptAt, bytes, holdsVariables, serving: id === serving },
      commit: commit === null ? null : { sha: commit, title: title || null, author: author || null },
    })),
    ...{ known, cutOff },
  };
}
